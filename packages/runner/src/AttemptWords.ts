/** How a call went, attempt by attempt, in the words that every front end uses: the trace of a terminal, the timeline of an editor. */
import type { AttemptEnd } from "@dotrpc/core"
import { Price, type RpcRequest, Table } from "@dotrpc/spec"

/**
 * Describes an attempt that has ended. It has no secrets, because the end of an attempt has none; its message is text of a server.
 *
 * @example
 * ```ts
 * attemptWords(end, request)
 * // eth_getLogs on mainnet (node.example), attempt 1 of 5: HTTP 200, 1,234 bytes, 37 ms, 255 credits of 255 reserved; ok
 * ```
 */
export const attemptWords = (end: AttemptEnd, { method, network }: RpcRequest): string => {
  const { attempt, charged, failure, host, most, reserved, sent, waited } = end
  const where = `${method.name} on ${network.id} (${host ?? "in this process"}), attempt ${attempt} of ${most}`
  const facts = [
    ...(waited >= 1 && sent !== undefined ? [`waited ${wholeMillis(waited)}`] : []),
    ...(sent === undefined ? ["not sent"] : []),
    ...(sent?.status === undefined ? [] : [`HTTP ${sent.status}`]),
    ...(sent?.bytes === undefined ? [] : [`${Table.groupDigits(sent.bytes)} bytes`]),
    ...(sent === undefined ? [] : [wholeMillis(sent.millis)]),
    `${Price.showCredits(charged, network.prices?.unit)} of ${Table.groupDigits(reserved)} reserved`,
  ]
  return `${where}: ${facts.join(", ")}; ${failure === undefined ? "ok" : `${failure.reason}: ${failure.message}`}`
}

/** `pausing 1,200 ms: the server is busy`: nothing is sent for that long. `why` has no secrets. */
export const pauseWords = (millis: number, why: string): string => `pausing ${wholeMillis(millis)}: ${why}`

/** A call that cost nothing: `eth_chainId on mainnet, not sent, 0 credits: its result is cached`. */
export const sharedWords = (from: "in flight" | "cached", { method, network }: RpcRequest): string =>
  `${method.name} on ${network.id}, not sent, ${Price.showCredits(0, network.prices?.unit)}: ${sharedFrom[from]}`

const sharedFrom = {
  "in flight": "the same call is in flight",
  cached: "its result is cached",
} as const

const wholeMillis = (millis: number): string => `${Table.groupDigits(Math.round(millis))} ms`
