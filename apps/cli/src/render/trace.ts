/**
 * `--trace`: a line on stderr for each attempt when it ends, for each wait when it begins, and for each call that needs
 * no attempt. It names at most the host and port of an endpoint.
 */
import type { AttemptEnd, CallObserver } from "@dotrpc/core"
import { Price, type RpcRequest, Table, Visible } from "@dotrpc/spec"
import type { Output } from "../Output.ts"

/** Traces the calls of a request, or of a scan, under this name. `now` is the time in milliseconds since 1970. */
export const tracing =
  ({ stderr }: Output["Service"], now: () => number) =>
  (name: string): CallObserver => {
    const write = (words: string) => {
      const line = `${new Date(now()).toISOString()} ${name}: ${words}`
      stderr.write(`${stderr.colors.dim(Visible.line(line))}\n`)
    }
    return {
      onAttempt: () => {},
      onAttemptEnd: (end, request) => write(attemptWords(end, request)),
      onWait: (millis, why) => write(`pausing ${showMillis(millis)}: ${why}`),
      onShared: (from, { method, network }) =>
        write(
          `${method.name} on ${network.id}, not sent, ${Price.showCredits(0, network.prices?.unit)}: ${sharedFrom[from]}`,
        ),
    }
  }

const sharedFrom = {
  "in flight": "the same call is in flight",
  cached: "its result is cached",
} as const

/** `eth_getLogs on mainnet (node.example), attempt 1 of 5: HTTP 200, 1,234 bytes, 37 ms, 255 credits of 255 reserved`. */
const attemptWords = (end: AttemptEnd, { method, network }: RpcRequest): string => {
  const { attempt, charged, failure, host, most, reserved, sent, waited } = end
  const where = `${method.name} on ${network.id} (${host ?? "in this process"}), attempt ${attempt} of ${most}`
  const facts = [
    ...(waited >= 1 && sent !== undefined ? [`waited ${showMillis(waited)}`] : []),
    ...(sent === undefined ? ["not sent"] : []),
    ...(sent?.status === undefined ? [] : [`HTTP ${sent.status}`]),
    ...(sent?.bytes === undefined ? [] : [`${Table.groupDigits(sent.bytes)} bytes`]),
    ...(sent === undefined ? [] : [showMillis(sent.millis)]),
    `${Price.showCredits(charged, network.prices?.unit)} of ${Table.groupDigits(reserved)} reserved`,
  ]
  return `${where}: ${facts.join(", ")}; ${failure === undefined ? "ok" : `${failure.reason}: ${failure.message}`}`
}

const showMillis = (millis: number): string => `${Table.groupDigits(Math.round(millis))} ms`
