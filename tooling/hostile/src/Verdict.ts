/** What every outcome must satisfy, whatever a server said: a list of what is wrong, empty when all is well. */
import type { Case, Status } from "./Case.ts"
import type { Bounds, Outcome } from "./Command.ts"
import type { HostileServer } from "./HostileServer.ts"
import { key } from "./Key.ts"
import { type Balance, nameOf } from "./Project.ts"
import { commandsIn, keyIn, steeringIn } from "./Sight.ts"

/** Exit codes of a run that met what servers do: all well, a check, a server, a budget. */
const contract = new Set([0, 1, 3, 4])

/** It ended by itself, soon, with a code of the contract, and nothing it wrote steers a terminal or shows the key. */
export const wrongOutcome = (
  outcome: Outcome,
  bounds: Bounds,
  codes: ReadonlySet<number> = contract,
): ReadonlyArray<string> => {
  const { code, exceeded, megabytes, seconds, signal, stderr, stdout } = outcome
  return [
    ...(exceeded === undefined
      ? []
      : [`it had to be ended: ${exceeded} (${seconds.toFixed(1)} s of work, ${megabytes.toFixed(0)} MB)`]),
    ...(exceeded === undefined && seconds > bounds.seconds ? [`it took ${seconds.toFixed(1)} s`] : []),
    ...(exceeded === undefined && (code === null || !codes.has(code)) ? [`it ended with ${signal ?? code}`] : []),
    ...(/^ {4}at \S+ ?\(?.*:\d+:\d+\)?$/m.test(stderr + stdout) ? ["it shows where in its own code it failed"] : []),
    ...wrongText("stdout", stdout),
    ...wrongText("stderr", stderr),
  ]
}

/** Nothing in the text steers a terminal or anyone who keeps a log, and nothing shows the key. */
export const wrongText = (what: string, text: string): ReadonlyArray<string> => [
  ...[...steeringIn(text), ...commandsIn(text)].map((found) => `${what} has ${found}`),
  ...keyShown(what, text),
]

export const keyShown = (what: string, text: string): ReadonlyArray<string> => {
  const shown = keyIn(text, key)
  return shown === undefined ? [] : [`${what} shows the key (${shown})`]
}

export interface Reported {
  readonly name: string
  readonly status: Status
  readonly credits: number
  readonly error?: { readonly message: string } | undefined
}

/** The requests of a `--format json` report. */
export const reportedIn = (text: string): ReadonlyArray<Reported> =>
  (JSON.parse(text) as { readonly files: ReadonlyArray<{ readonly requests: ReadonlyArray<Reported> }> }).files.flatMap(
    ({ requests }) => requests,
  )

const anyStatus: ReadonlyArray<Status> = ["ok", "check-failed", "rpc-error", "failed", "refused"]

/** The request is reported once, as it ought to be, was not sent too often, and is booked for at least what it was charged. */
export const wrongReport = (
  { name, sends = 1, status = anyStatus }: Case,
  reported: ReadonlyArray<Reported>,
  server: HostileServer,
): ReadonlyArray<string> => {
  const own = reported.filter((each) => each.name === nameOf(name))
  const [first] = own
  const sent = server.calls(name).length
  return [
    ...(own.length === 1 ? [] : [`it is reported ${own.length} times`]),
    ...(first === undefined || status.includes(first.status)
      ? []
      : [`it is reported as ${first.status}: ${first.error?.message ?? "without an error"}`]),
    ...(first === undefined || first.credits >= server.charged(name)
      ? []
      : [`${first.credits} credits are reported, ${server.charged(name)} were charged`]),
    ...(sent <= sends ? [] : [`it was sent ${sent} times`]),
  ]
}

/** What was charged is booked, and nothing is left reserved. */
export const wrongBalance = ({ daily, remaining, spent }: Balance, charged: number): ReadonlyArray<string> => [
  ...(spent >= charged ? [] : [`${spent} credits are booked, ${charged} were charged`]),
  ...(remaining + spent === daily ? [] : [`${daily - spent - remaining} credits stay reserved`]),
]
