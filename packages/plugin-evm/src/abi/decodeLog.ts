/** Finds the event a log belongs to among those that are known, and decodes it. */
import type { Abi, Json } from "@dotrpc/spec"
import type { Log } from "../schemas/Log.ts"
import { abi } from "./AbiReader.ts"
import { type DecodedEvent, decodeEvent } from "./decodeEvent.ts"
import { type EventDeclaration, eventsOf } from "./EventDeclaration.ts"

/** A decoded log as plain data. */
export interface DecodedLog {
  readonly event: string
  /** `Transfer(address,address,uint256)`. */
  readonly signature: string
  /**
   * By name, or `arg0` and so on where the declaration has none. Integers of types of more than 48 bits are `bigint`,
   * smaller ones `number`; addresses and bytes are hex in lower case. An indexed text, array or tuple is its keccak-256, as the log holds no more.
   */
  readonly args: Json.JsonObject
}

/**
 * A log, decoded by the first event of the ABI that it fits; `undefined` when it fits none. Events with the same topic
 * are distinguished by their indexed arguments, as the `Transfer` of ERC-20 and of ERC-721 are.
 *
 * @example
 * ```ts
 * Evm.decodeLog(log, Evm.abi("event Transfer(address indexed from, address indexed to, uint256 value)"))
 * // { event: "Transfer", signature: "Transfer(address,address,uint256)", args: { from: "0x…", to: "0x…", value: 1000n } }
 * ```
 */
export const decodeLog = (log: Pick<Log, "data" | "topics">, known: Abi): DecodedLog | undefined => {
  const decoded = decodeByEvents(log, eventsOf(known))
  return decoded === undefined ? undefined : plain(decoded)
}

/** A decoded event as plain data. */
export const plain = ({ args, event }: DecodedEvent): DecodedLog => ({
  event: event.name,
  signature: event.signature,
  args: Object.fromEntries(args.map(({ name, value }) => [name, value])),
})

/** As {@link decodeLog}, with every event that is so common that a person expects to see it decoded. */
export const decodeForPeople = (
  log: Pick<Log, "data" | "topics">,
  known: Abi | undefined,
): DecodedEvent | UnfitEvent | undefined => {
  const events = known === undefined ? eventsOf(common()) : [...eventsOf(known), ...eventsOf(common())]
  const decoded = decodeByEvents(log, events)
  if (decoded !== undefined) return decoded
  const topic = log.topics[0]?.toLowerCase()
  const declared = events.find((event) => event.topic !== undefined && event.topic === topic)
  return declared === undefined ? undefined : { unfit: declared }
}

/** The topic is of an event that is known, and the rest of the log is not what its declaration says. */
export interface UnfitEvent {
  readonly unfit: EventDeclaration
}

/** By the first event that the log fits. */
export const decodeByEvents = (
  log: Pick<Log, "data" | "topics">,
  events: ReadonlyArray<EventDeclaration>,
): DecodedEvent | undefined => {
  for (const event of events) {
    const decoded = decodeEvent(event, log)
    if (decoded !== undefined) return decoded
  }
  return undefined
}

/** The common events. Hashing their topics takes a moment, which only those who decode should pay. */
export const common = (): Abi => (commonAbi ??= abi(...commonEvents))

let commonAbi: Abi | undefined

const commonEvents = [
  "Transfer(address indexed from, address indexed to, uint256 value)",
  "Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
  "Approval(address indexed owner, address indexed spender, uint256 value)",
  "Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)",
  "ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
  "TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
  "OwnershipTransferred(address indexed previousOwner, address indexed newOwner)",
  "Deposit(address indexed account, uint256 amount)",
  "Withdrawal(address indexed account, uint256 amount)",
  "Upgraded(address indexed implementation)",
]
