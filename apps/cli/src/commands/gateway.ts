/** `dotrpc gateway`: the metered service itself, on this machine. */
import { filledUrl } from "@dotrpc/analysis"
import { chainFromNdjson, Gateway } from "@dotrpc/gateway"
import { serve } from "@dotrpc/gateway/server"
import { ExitCode } from "@dotrpc/runner"
import { Clock, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { fileFlag } from "./paths.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { chainLines } from "../ChainLines.ts"
import { gatewayBalances } from "../GatewayBalances.ts"
import { givenKeys, keysVariable } from "../GatewayKeys.ts"
import { alignedUrls, gatewayUrls } from "../GatewayUrls.ts"
import { creditsFlag, listenFlags, wholeNumberFlag } from "./flags.ts"
import { Host, pathOf } from "../Host.ts"
import { Output } from "../Output.ts"
import { oneSheet } from "../PriceSheets.ts"
import { staleNotes } from "../render/elsewhere.ts"

export const gatewayCommand = Command.make(
  "gateway",
  {
    ...listenFlags,
    keyFile: fileFlag("key-file").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription(`A file of API keys to accept, one per line; the variable ${keysVariable} works too`),
      Flag.optional,
    ),
    allowOrigin: Flag.String("allow-origin").pipe(
      Flag.withMetavar("origin"),
      Flag.withDescription("Allow web pages of this origin, such as http://localhost:3000; may be repeated"),
      Flag.atLeast(0),
    ),
    hostName: Flag.String("host-name").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription(
        "Another host name of this gateway, such as gateway.example or 10.0.0.5:80; may be repeated",
      ),
      Flag.atLeast(0),
    ),
    daily: creditsFlag("daily").pipe(
      Flag.withDescription("Credits per key and day (default: 3,000,000)"),
      Flag.withDefault(3_000_000),
    ),
    prices: Flag.String("prices").pipe(
      Flag.withMetavar("id|file"),
      Flag.withDescription("Charge what this provider would charge, in its unit; dotrpc prices lists them"),
      Flag.optional,
    ),
    chain: fileFlag("chain").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription("Serve this chain instead of the sample: one block per line"),
      Flag.optional,
    ),
    upstream: Flag.String("upstream").pipe(
      Flag.withMetavar("id=url"),
      Flag.withDescription("Gone: dotrpc meter --serve meters and limits real nodes"),
      Flag.withHidden,
      Flag.atLeast(0),
    ),
    balances: fileFlag("balances").pipe(
      Flag.withMetavar("folder|memory"),
      Flag.withDescription("Where the balance of each key is kept (default: a folder in your data folder)"),
      Flag.optional,
    ),
    redis: Flag.String("redis").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription(
        "Keep the balances on this Redis server, shared by every gateway that uses it: redis://HOST:6379",
      ),
      Flag.optional,
    ),
    blocks: wholeNumberFlag("blocks", 0).pipe(
      Flag.withDescription("Blocks of the sample chain (default: 1000)"),
      Flag.optional,
    ),
    logs: wholeNumberFlag("logs", 0).pipe(
      Flag.withDescription("Logs of the sample chain (default: 12000)"),
      Flag.optional,
    ),
    upcoming: wholeNumberFlag("upcoming", 0).pipe(
      Flag.withDescription(
        "Hold back so many of the latest blocks of a chain, and add one every --block-seconds (default: 0)",
      ),
      Flag.withDefault(0),
    ),
    blockSeconds: wholeNumberFlag("block-seconds", 1).pipe(
      Flag.withDescription("How many seconds it takes until the next upcoming block is there (default: 2)"),
      Flag.withDefault(2),
    ),
    seed: wholeNumberFlag("seed", 0).pipe(Flag.withDescription("The seed of the sample chain"), Flag.optional),
  },
  Effect.fnUntraced(function* (flags) {
    if (flags.upstream.length > 0) return yield* usage(insteadOfUpstream)
    if (flags.daily === 0) return yield* usage("--daily 0 would refuse every call; give each key at least 1 credit")
    const host = yield* Host
    const { stderr, writeJson } = yield* Output
    const prices = Option.isNone(flags.prices)
      ? undefined
      : yield* oneSheet(flags.prices.value, "a gateway charges by one price sheet")
    if (prices !== undefined)
      for (const note of staleNotes([prices], yield* Clock.currentTimeMillis)) stderr.line(`dotrpc: ${note}`)
    const chain = Option.isNone(flags.chain)
      ? undefined
      : yield* readChain(flags.chain.value, pathOf(host, flags.chain.value))
    const redis = Option.isNone(flags.redis) ? undefined : yield* readRedis(flags.redis.value, host.env)
    const keys = yield* givenKeys({
      flags: flags.key,
      file: flags.keyFile,
      variable: host.env[keysVariable],
    }).pipe(Effect.mapError(({ message }) => usage(message)))
    const sample = Object.fromEntries(
      Object.entries({ blocks: flags.blocks, logs: flags.logs, seed: flags.seed }).flatMap(([name, value]) =>
        Option.isSome(value) ? [[name, value.value]] : [],
      ),
    )
    if (redis !== undefined && Option.isSome(flags.balances))
      return yield* usage("--redis and --balances both say where balances are kept: use only one of them")
    const balances =
      redis === undefined ? yield* gatewayBalances(Option.getOrUndefined(flags.balances), keys) : undefined
    const served = yield* serve({
      port: flags.port,
      host: flags.host,
      keys,
      allowOrigins: flags.allowOrigin,
      hostNames: flags.hostName,
      daily: flags.daily,
      prices,
      chain,
      redis,
      balances,
      sample,
      upcoming: flags.upcoming,
      blockMillis: flags.blockSeconds * 1_000,
    }).pipe(
      Effect.mapError(({ message, reason }) =>
        reason === "no-balances" ? new CommandFailed({ lines: [message], exitCode: ExitCode.failed }) : usage(message),
      ),
    )
    // A key that somebody chose is theirs to know; the one everybody knows is not a secret.
    const key = served.madeKey ?? (keys.includes(Gateway.LOCAL_KEY) ? Gateway.LOCAL_KEY : undefined)
    const urls = gatewayUrls(served, key)
    const ready = { ready: true, port: served.port, networks: served.networks, key, urls }
    yield* served.prepare
    writeJson(`${JSON.stringify(ready)}\n`)
    if (stderr.isTTY) stderr.lines(alignedUrls(urls))
    return yield* Effect.never
  }, Effect.scoped),
).pipe(
  Command.withDescription("Serve the metered JSON-RPC service from sample data or a chain file"),
  Command.withExamples([
    { command: "dotrpc gateway --key local", description: "POST http://127.0.0.1:8645/evm/v3/local" },
    {
      command: "dotrpc gateway --port 8646 --redis redis://127.0.0.1:6379",
      description: "One of several gateways that share the balance of each key",
    },
  ]),
)

/** A URL may hold a key, so none is repeated. */
const insteadOfUpstream =
  "--upstream is gone: dotrpc meter --serve meters and limits real nodes, such as dotrpc meter --serve --url http://127.0.0.1:8545 --key KEY"

const readChain = (name: string, path: string) =>
  Effect.try({
    try: () => chainFromNdjson(chainLines(path)),
    catch: (error) => usage(`--chain: ${name}: ${wordsOf(error)}`),
  })

const readRedis = (url: string, env: Environment) =>
  Effect.try({
    try: () => filledUrl(url, "--redis", environment(env)),
    catch: (error) => usage(wordsOf(error)),
  })

/** A gateway belongs to no project, so its private values are in the environment alone. */
const environment = (env: Environment) => ({ env: (name: string) => env[name], secret: () => undefined })

type Environment = Host["Service"]["env"]

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const usage = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
