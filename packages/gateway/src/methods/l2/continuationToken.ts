/**
 * The tokens that lead from one page of events to the next. A token is the position of the next event and a MAC over
 * that position and the filter, so a token that was changed, or made for another filter, is recognised.
 *
 * The key is a constant: tokens stay valid when a gateway is restarted, and hold nothing that must stay secret.
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base64urlnopad } from "@scure/base"
import { Result } from "effect"
import type { EventPosition } from "../../events/EventStore.ts"

/** Six bytes of block number, four of index, sixteen of MAC: 26 bytes, 35 characters. */
const POSITION_BYTES = 10
const MAC_BYTES = 16
const KEY = utf8ToBytes("dotrpc gateway: continuation tokens, version 1")

/** The token for a position under a filter, which is given as its canonical text. */
export const writeToken = (position: EventPosition, filter: string): string => {
  const bytes = new Uint8Array(POSITION_BYTES + MAC_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, Math.floor(position.blockNumber / 0x1_0000_0000))
  view.setUint32(2, position.blockNumber % 0x1_0000_0000)
  view.setUint32(6, position.index)
  bytes.set(macOf(bytes.subarray(0, POSITION_BYTES), filter), POSITION_BYTES)
  return base64urlnopad.encode(bytes)
}

/** The position a token stands for; `undefined` when it was not written for this filter. */
export const readToken = (token: string, filter: string): EventPosition | undefined => {
  const decoded = Result.try(() => base64urlnopad.decode(token))
  if (Result.isFailure(decoded)) return undefined
  const bytes = decoded.success
  if (bytes.length !== POSITION_BYTES + MAC_BYTES) return undefined
  const mac = macOf(bytes.subarray(0, POSITION_BYTES), filter)
  if (mac.some((byte, index) => byte !== bytes[POSITION_BYTES + index])) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return { blockNumber: view.getUint16(0) * 0x1_0000_0000 + view.getUint32(2), index: view.getUint32(6) }
}

const macOf = (position: Uint8Array, filter: string): Uint8Array =>
  hmac.create(sha256, KEY).update(position).update(utf8ToBytes(filter)).digest().subarray(0, MAC_BYTES)
