/**
 * Whether secrets may go where a command would send them: to the hosts they belong to, to hosts that `--allow-host` or
 * `DOTRPC_ALLOW_HOSTS` names, and to others once a person at the terminal has allowed it.
 *
 * Invariant: where nobody can be asked, a secret goes to no other host than before. Its first host is taken on trust only on
 * this machine, or for a value of the project's `.env` outside CI.
 */
import type { PrivateUse } from "@dotrpc/analysis"
import {
  aHost,
  isHost,
  type JudgedUse,
  judgeUses,
  keyOf,
  listsHost,
  makeGate,
  namedHost,
  recordUses,
  refusedBy,
  shownHost,
} from "@dotrpc/project"
import { secretHostFile, type Surroundings, variableIn } from "@dotrpc/project/node"
import { type Gate, isThisMachine, Visible } from "@dotrpc/spec"
import { Effect } from "effect"
import { createInterface } from "node:readline"
import { ExitCode } from "@dotrpc/runner"
import { CommandFailed } from "./CommandFailed.ts"
import { fileProblem } from "./fileProblem.ts"
import { Host, type Input } from "./Host.ts"
import { Output } from "./Output.ts"
import { userFile } from "./UserData.ts"

/**
 * Decides about everything that a command would send, and asks where it has to. The gate lets nothing else pass. `hosts` are those of
 * `--allow-host`.
 */
export const decideUses = Effect.fnUntraced(function* (
  uses: ReadonlyArray<PrivateUse>,
  hosts: ReadonlyArray<string>,
): Effect.fn.Return<Gate, never, Host | Output> {
  const host = yield* Host
  const { stderr } = yield* Output
  const file = userFile(host, "secret-hosts.json")
  const store = secretHostFile(file)
  const judged = yield* Effect.promise(() => judgeUses(uses, store))
  const listed = (host.env["DOTRPC_ALLOW_HOSTS"] ?? "").split(",").filter((entry) => entry.trim() !== "")
  // It may be a URL with a key, so the entry itself is not repeated.
  if (!listed.every(isHost)) stderr.line(`dotrpc: warning: DOTRPC_ALLOW_HOSTS: expected ${aHost} in each entry`)
  const refused = new Map<string, string>()
  const gate = makeGate((use) => refused.get(keyOf(use)))
  const agreed: Array<PrivateUse> = []
  for (const found of judged) {
    const entry = withAgreed(found, agreed)
    const { use, verdict } = entry
    if (verdict === "known" || listsHost(listed, use)) gate.release([use])
    else if (listsHost(hosts, use) || isTakenOnTrust(entry, host) || (yield* isAgreedTo(entry))) {
      agreed.push(use)
      gate.release([use])
    } else refused.set(keyOf(use), refusalOf(entry))
  }
  const unrecorded = yield* Effect.promise(() => recordUses(agreed, store).then(() => undefined, fileProblem))
  for (const use of agreed) {
    const said = `${use.name} belongs to ${shownHost(use)}`
    stderr.line(
      unrecorded === undefined
        ? `dotrpc: ${said} from now on`
        : `dotrpc: warning: ${said} for this command only: ${file} cannot be written: ${unrecorded}`,
    )
  }
  return gate
})

/** As {@link decideUses}, of a command that cannot do without any of them. */
export const expectAllowed = Effect.fnUntraced(function* (
  uses: ReadonlyArray<PrivateUse>,
  hosts: ReadonlyArray<string>,
  others: ReadonlyArray<PrivateUse> = [],
): Effect.fn.Return<Gate, CommandFailed, Host | Output> {
  const gate = yield* decideUses([...uses, ...others], hosts)
  const refused = refusedBy(gate, uses)
  if (refused.length > 0) return yield* new CommandFailed({ lines: refused, exitCode: ExitCode.invalid })
  return gate
})

/** Of several hosts only the first is a first one. */
const withAgreed = (judged: JudgedUse, agreed: ReadonlyArray<PrivateUse>): JudgedUse => {
  const hosts = agreed.filter(({ name }) => name === judged.use.name).map(shownHost)
  return hosts.length === 0 || judged.verdict === "known"
    ? judged
    : { ...judged, verdict: "other", hosts: [...judged.hosts, ...hosts] }
}

/** A first host. A variable of the environment is not the project's own, and may be a key of something else. */
const isTakenOnTrust = ({ use, verdict }: JudgedUse, { env }: Surroundings): boolean =>
  verdict === "first" &&
  (isThisMachine(new URL(use.destination).hostname) || (!isCi(env) && variableIn({ env }, use.name) === undefined))

const isAgreedTo = Effect.fnUntraced(function* ({
  hosts,
  use,
}: JudgedUse): Effect.fn.Return<boolean, never, Host | Output> {
  const before = hosts.length === 0 ? "It has not been sent anywhere yet." : `It belongs to ${hosts.join(", ")}.`
  return yield* isAgreed(`Send ${use.name} to ${shownHost(use)}? ${before}`)
})

/** Whether a person at the terminal agrees; nobody does where none sits there. */
export const isAgreed = Effect.fnUntraced(function* (
  question: string,
): Effect.fn.Return<boolean, never, Host | Output> {
  const { env, stdin } = yield* Host
  const { stderr } = yield* Output
  if (isCi(env) || !stdin.isTTY || !stderr.isTTY) return false
  stderr.write(Visible.line(`${question} [y/N] `))
  return /^y(?:es)?$/i.test(((yield* readLine(stdin)) ?? "").trim())
})

/** One line of standard input; `undefined` where the input has ended. */
export const readLine = ({ stream }: Input): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    // The terminal keeps its own ways, so that an interrupt ends the command as everywhere.
    const lines = createInterface({ input: stream(), terminal: false })
    let read: string | undefined
    // To close pauses the stream, which the next question reads: it may only be asked afterwards.
    lines.once("close", () => resume(Effect.succeed(read)))
    lines.once("line", (answer) => {
      read = answer
      lines.close()
    })
    return Effect.sync(() => lines.close())
  })

const refusalOf = ({ hosts, use, verdict }: JudgedUse): string => {
  const host = shownHost(use)
  const reader =
    use.readBy === undefined
      ? `this would send it to ${host}`
      : `what is sent to ${host} may depend on "${use.readBy}", which reads it`
  const why =
    verdict === "first"
      ? `${use.name} has not been sent to any host yet`
      : `${use.name} belongs to ${hosts.join(", ")}, and ${reader}`
  return host.includes("•")
    ? `${why}; the secret is part of the host name, so run it once in a terminal and allow it`
    : `${why}; if it may go to ${host}, add --allow-host ${namedHost(use)}`
}

/** Whether nobody sits at this terminal. */
export const isCi = (env: Surroundings["env"]): boolean => !["", "0", "false", undefined].includes(env["CI"])
