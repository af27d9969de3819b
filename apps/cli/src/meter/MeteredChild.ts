/** The command that is metered: a process with our streams, whose environment names the addresses of the meter. */
import { ExitCode } from "@dotrpc/runner"
import { answersPlugin, type Network } from "@dotrpc/spec"
import { Deferred, Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { constants } from "node:os"
import { basename } from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import { Host } from "../Host.ts"

/** The addresses of a network. */
export interface Addresses {
  readonly url: string
  readonly wsUrl: string
}

/** The environment of the command. `named` are further variables, each with the id of a network. */
export const environmentOf = (
  env: Host["Service"]["env"],
  networks: ReadonlyArray<Network>,
  addressOf: (network: Network) => Addresses,
  named: ReadonlyArray<readonly [variable: string, network: string]>,
): Record<string, string> => {
  // The command gets what the addresses stand for, and not the keys of the nodes behind them.
  const secret = new Set(networks.flatMap(({ privates = [] }) => privates.map(({ name }) => name)))
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !secret.has(name))
  const evm = networks.find((network) => answersPlugin(network, "evm"))
  const usual = evm === undefined ? [] : usualNames.map((name) => [name, addressOf(evm).url])
  const own = networks.flatMap((network) => {
    const id = variablePart(network)
    const { url, wsUrl } = addressOf(network)
    return [
      [`DOTRPC_URL_${id}`, url],
      [`DOTRPC_WS_URL_${id}`, wsUrl],
    ]
  })
  const further = named.flatMap(([variable, id]) => {
    const network = networks.find((each) => each.id === id)
    return network === undefined ? [] : [[variable, addressOf(network).url]]
  })
  return Object.fromEntries([...kept, ...usual, ...own, ...further])
}

/** `my-net` as the end of a variable: `MY_NET`. */
export const variablePart = ({ id }: Pick<Network, "id">): string => id.toUpperCase().replace(/\W/g, "_")

/** What tools read the address of their node from. */
const usualNames = ["RPC_URL", "ETH_RPC_URL", "FOUNDRY_ETH_RPC_URL"]

export interface MeteredChild {
  /** The exit code: that of the command, or 128 and the number of the signal that ended it. */
  readonly ended: Effect.Effect<number>
  /** Leaves it `grace` milliseconds to end by itself, then asks it to, and ends it after as long again. */
  readonly end: (grace: number) => Effect.Effect<void>
}

/** Starts the command, which gets the signals that this process gets; it is ended with the scope. */
export const startChild = Effect.fnUntraced(function* (
  [command = "", ...args]: ReadonlyArray<string>,
  env: Record<string, string>,
): Effect.fn.Return<MeteredChild, CommandFailed, Host | Scope.Scope> {
  const host = yield* Host
  const ended = yield* Deferred.make<number>()
  const child = yield* Effect.callback<ChildProcess, CommandFailed>((resume) => {
    const started = spawn(command, args, { cwd: host.cwd, env, stdio: "inherit" })
    started.on("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "ENOENT" ? "there is no such command" : (error.code ?? error.message)
      const line = `"${command}" cannot be started: ${why}; nothing was sent or spent`
      resume(Effect.fail(new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })))
    })
    started.on("spawn", () => resume(Effect.succeed(started)))
    started.on("exit", (code, signal) => {
      const number = signal === null ? 0 : constants.signals[signal]
      Deferred.doneUnsafe(ended, Effect.succeed(code ?? 128 + number))
    })
  })
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const stopHearing = host.hearSignals?.((signal) => {
    // A terminal has sent its own to every program in it.
    if (signal !== "SIGINT" || !host.stdin.isTTY) child.kill(signal)
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      stopHearing?.()
      if (!isOver()) child.kill("SIGKILL")
    }),
  )
  const waited = (grace: number) => Effect.timeoutOption(Deferred.await(ended), grace)
  const end = Effect.fnUntraced(function* (grace: number) {
    yield* waited(grace)
    if (!isOver()) child.kill("SIGTERM")
    yield* waited(grace)
    if (!isOver()) child.kill("SIGKILL")
  })
  return {
    ended: Effect.onInterrupt(Deferred.await(ended), () => Effect.sync(() => void child.kill("SIGTERM"))),
    end,
  }
})

/** `dotrpc meter -- npx hardhat test`, as `dotrpc credits` names it: only words that hold no key, and no more than say what it is. */
export const spenderOf = ([program, ...args]: ReadonlyArray<string>): string => {
  if (program === undefined) return "dotrpc meter --serve"
  const end = args.findIndex((arg) => !/^[a-z](?!.*\/\/)[\w.:/-]{0,23}$/i.test(arg))
  const words = args.slice(0, Math.min(2, end < 0 ? args.length : end))
  return ["dotrpc meter --", basename(program), ...words].join(" ")
}
