/** What can be seen of a ledger on a Redis server whose address holds secrets, whatever the server says. */
import { createServer, type Socket } from "node:net"
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger, type Scope, Tracer } from "effect"
import { RpcReason } from "@dotrpc/spec"
import { CreditLedger } from "../../src/index.ts"

const user = "us3r-of-the-team"
const password = "p4ss/w0rd+c4n4ry"
const hostKey = "k3y0123456789abcdef"
const encoded = encodeURIComponent(password)
const traces = [user, password, encoded, "c4n4ry", hostKey]
const leaksIn = (text: string) => traces.filter((trace) => text.includes(trace))

/** What a server answers to a command, by its name. */
type Answers = (command: string) => string | undefined

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`

/** A server of the protocol, as far as a client needs it to send its first script. */
const serveRedis = (answers: Answers): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly close: () => void; readonly port: number }>((resume) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket.on("error", () => undefined))
        let text = ""
        socket.on("data", (chunk) => {
          text += chunk.toString()
          for (let found = firstCommand(text); found !== undefined; found = firstCommand(text)) {
            text = text.slice(found.length)
            const answer = answers(found.name) ?? (found.name === "info" ? bulk("loading:0") : "+OK\r\n")
            if (answer === "") socket.destroy()
            else socket.write(answer)
          }
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const close = () => {
          for (const socket of sockets) socket.destroy()
          server.close()
        }
        resume(Effect.succeed({ close, port: typeof address === "object" && address !== null ? address.port : 0 }))
      })
    }),
    ({ close }) => Effect.sync(close),
  ).pipe(Effect.map(({ port }) => port))

/** The name of the first whole command of the protocol's text, and how long the command is. */
const firstCommand = (text: string): { readonly name: string; readonly length: number } | undefined => {
  const [head = "", count = "0"] = /^\*(\d+)\r\n/.exec(text) ?? []
  if (head === "") return undefined
  let at = head.length
  let name = ""
  for (let index = 0; index < Number(count); index++) {
    const [size = "", bytes = "0"] = /^\$(\d+)\r\n/.exec(text.slice(at)) ?? []
    const end = at + size.length + Number(bytes) + 2
    if (size === "" || text.length < end) return undefined
    if (index === 0) name = text.slice(at + size.length, end - 2).toLowerCase()
    at = end
  }
  return { name, length: at }
}

/** Uses the ledger at this address and gathers every text that anyone could see. */
const everythingVisible = (url: string) =>
  Effect.gen(function* () {
    const seen: Array<string> = []
    const logger = Logger.make(({ message, cause }) => void seen.push(inspect(message), Cause.pretty(cause)))
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      },
    })
    const used = Effect.gen(function* () {
      const { balance, reserve } = yield* CreditLedger.CreditLedger
      const exits: ReadonlyArray<Exit.Exit<unknown, unknown>> = [
        yield* Effect.exit(Effect.withSpan(reserve(80), "reserve")),
        yield* Effect.exit(Effect.withSpan(balance, "balance")),
        yield* Effect.exit(CreditLedger.setSpentOnRedis({ url }, 5)),
      ]
      return exits
    })
    const exits = yield* used.pipe(
      Effect.provide(CreditLedger.layerRedis({ url })),
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.provide(Logger.layer([logger])),
    )
    for (const exit of exits) {
      const failure = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.instanceOf(failure, RpcReason.LedgerUnavailable)
      if (!(failure instanceof RpcReason.LedgerUnavailable)) continue
      assert.isBelow(failure.message.length, 1_000)
      seen.push(failure.message, failure.why, failure.advice, failure.stack ?? "")
      if (Exit.isFailure(exit)) seen.push(Cause.pretty(exit.cause))
    }
    for (const value of [...exits, ...spans])
      seen.push(inspect(value, { depth: Infinity, showHidden: true, getters: true }))
    for (const exit of exits) seen.push(JSON.stringify(exit))
    return seen.join("\n")
  })

describe("the secrets of a Redis server's address are nowhere to be seen when", () => {
  const checkAddress = (what: string, addressOf: (port: number) => string, said: RegExp, answers: Answers) =>
    it.live(
      what,
      () =>
        Effect.gen(function* () {
          const seen = yield* everythingVisible(addressOf(yield* serveRedis(answers)))
          assert.match(seen, said)
          assert.deepStrictEqual(leaksIn(seen), [])
        }).pipe(Effect.scoped),
      30_000,
    )
  const check = (what: string, said: RegExp, answers: Answers) =>
    checkAddress(what, (port) => `redis://${user}:${encoded}@127.0.0.1:${port}`, said, answers)

  const all = `${user} ${password} ${encoded} redis://${user}:${encoded}@127.0.0.1`
  const on =
    (command: string, answer: string): Answers =>
    (name) =>
      name === command ? answer : undefined

  check("it refuses them and says them back", /refused \(NOAUTH ••• •••/, (name) =>
    name === "auth" ? `-WRONGPASS ${all}\r\n` : name === "eval" ? `-NOAUTH ${all}\r\n` : undefined,
  )
  check("a script fails and says them", /refused \(ERR ••• •••/, on("eval", `-ERR ${all}\r\n`))
  check("it is busy and says them", /cannot be reached \(LOADING ••• •••/, on("eval", `-LOADING ${all}\r\n`))
  check("it answers a script with them", /cannot be reached/, on("eval", `*3\r\n${bulk(all)}${bulk("1")}:1\r\n`))
  check("it does not speak the protocol and says them", /cannot be reached/, on("eval", `?${all}\r\n`))
  check("it says far more than anybody reads", /refused \(ERR x/, on("eval", `-ERR ${"x ".repeat(100_000)}${all}\r\n`))
  check("it hangs up", /cannot be reached/, on("eval", ""))
  checkAddress(
    "nobody is there, and the name of the host is one of them",
    () => `redis://${user}:${encoded}@${hostKey}.redis.localhost:1`,
    /the Redis server at •••\.redis\.localhost:1 cannot be reached/,
    () => undefined,
  )
  for (const url of [`http://${user}:${encoded}@host`, `redis//${user}:${encoded}@host`, `${encoded}`])
    it.effect(`the address is of no use: ${url.slice(0, 6)}`, () =>
      Effect.gen(function* () {
        const said = inspect(yield* Effect.flip(Layer.build(CreditLedger.layerRedis({ url }))))
        assert.match(said, /Write the URL of a Redis server as/)
        assert.deepStrictEqual(leaksIn(said), [])
      }).pipe(Effect.scoped),
    )
})

it("the texts above would show a secret that leaks", () => {
  assert.deepStrictEqual(leaksIn(`redis://${user}:${encoded}@${hostKey} ${password}`), traces)
})
