/** `dotrpc gateway`: the metered service itself, on this machine. */
import { filledAddress } from "@dotrpc/analysis"
import { chainFromNdjson, httpUpstream, isNetworkId, networkIds } from "@dotrpc/gateway"
import { serve } from "@dotrpc/gateway/server"
import { ExitCode } from "@dotrpc/runner"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync, readFileSync } from "node:fs"
import { CommandFailed } from "../CommandFailed.ts"
import { creditsFlag } from "./flags.ts"

export const gatewayCommand = Command.make(
  "gateway",
  {
    port: Flag.Int("port").pipe(
      Flag.withDescription("Where to listen; 0 takes any free port (default: 8645)"),
      Flag.withDefault(8645),
    ),
    host: Flag.String("host").pipe(
      Flag.withMetavar("address"),
      Flag.withDescription("Another address than this machine's own needs --key (default: 127.0.0.1)"),
      Flag.withDefault("127.0.0.1"),
    ),
    key: Flag.String("key").pipe(
      Flag.withDescription("An API key to accept; may be repeated (default: local)"),
      Flag.atLeast(0),
    ),
    daily: creditsFlag("daily").pipe(
      Flag.withDescription("Credits per key and day (default: 3,000,000)"),
      Flag.withDefault(3_000_000),
    ),
    chain: Flag.String("chain").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription("Serve this chain instead of the sample: one block per line"),
      Flag.optional,
    ),
    upstream: Flag.String("upstream").pipe(
      Flag.withMetavar("id=url"),
      Flag.withDescription(
        "Answer a network from a real node: evm=http://127.0.0.1:8545, or evm=https://HOST/v3/{{$env.API_KEY}}",
      ),
      Flag.atLeast(0),
    ),
    redis: Flag.String("redis").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription(
        "Keep the balances on this Redis server, shared by every gateway that uses it: redis://HOST:6379",
      ),
      Flag.optional,
    ),
    blocks: Flag.Int("blocks").pipe(Flag.withDescription("Blocks of the sample chain (default: 1000)"), Flag.optional),
    logs: Flag.Int("logs").pipe(Flag.withDescription("Logs of the sample chain (default: 12000)"), Flag.optional),
    seed: Flag.Int("seed").pipe(Flag.withDescription("Another seed gives another sample chain"), Flag.optional),
  },
  Effect.fnUntraced(function* (flags) {
    if (flags.daily === 0) return yield* usage("--daily 0 would refuse every call; give each key at least 1 credit")
    const chain = Option.isNone(flags.chain) ? undefined : yield* readChain(flags.chain.value)
    const upstreams = yield* readUpstreams(flags.upstream)
    const redis = Option.isNone(flags.redis) ? undefined : yield* readRedis(flags.redis.value)
    const sample = Object.fromEntries(
      Object.entries({ blocks: flags.blocks, logs: flags.logs, seed: flags.seed }).flatMap(([name, value]) =>
        Option.isSome(value) ? [[name, value.value]] : [],
      ),
    )
    const served = yield* serve({
      port: flags.port,
      host: flags.host,
      keys: flags.key,
      daily: flags.daily,
      ...(chain === undefined ? {} : { chain }),
      ...(redis === undefined ? {} : { redis }),
      upstreams,
      sample,
    }).pipe(
      Effect.mapError(({ message, reason }) =>
        reason === "no-balances" ? new CommandFailed({ lines: [message], exitCode: ExitCode.failed }) : usage(message),
      ),
    )
    process.stdout.write(`${JSON.stringify({ ready: true, port: served.port, networks: served.networks })}\n`)
    yield* served.prepare
    return yield* Effect.never
  }, Effect.scoped),
).pipe(
  Command.withDescription("Serve the metered JSON-RPC service from sample data, a chain file, or real nodes"),
  Command.withExamples([
    { command: "dotrpc gateway --port 8645", description: "POST http://127.0.0.1:8645/evm/v3/local" },
    { command: "dotrpc gateway --upstream evm=http://127.0.0.1:8545", description: "Meter and limit a real node" },
    {
      command: "dotrpc gateway --port 8646 --redis redis://127.0.0.1:6379",
      description: "One of several gateways that share the balance of each key",
    },
  ]),
)

const readChain = (path: string) =>
  Effect.try({
    try: () => chainFromNdjson(readFileSync(path, "utf8")),
    catch: (error) => usage(`${path}: ${existsSync(path) ? wordsOf(error) : "there is no such file"}`),
  })

const readRedis = (address: string) =>
  Effect.try({
    try: () => filledAddress(address, "--redis", environment),
    catch: (error) => usage(wordsOf(error)),
  })

/** A gateway belongs to no project, so its private values are in the environment alone. */
const environment = { env: (name: string) => process.env[name], secret: () => undefined }

const readUpstreams = (entries: ReadonlyArray<string>) =>
  Effect.try({
    try: () =>
      Object.fromEntries(
        entries.map((entry) => {
          const [, id, address] = /^([\w-]+)=(.+)$/.exec(entry) ?? []
          if (id === undefined || address === undefined)
            throw new Error("--upstream needs ID=URL, such as evm=http://127.0.0.1:8545")
          if (!isNetworkId(id))
            throw new Error(`--upstream: unknown network "${id}"; known are ${networkIds.join(", ")}`)
          return [id, httpUpstream(filledAddress(address, "--upstream", environment))]
        }),
      ),
    catch: (error) => usage(wordsOf(error)),
  })

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const usage = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
