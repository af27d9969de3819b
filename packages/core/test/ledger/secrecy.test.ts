/** What can be seen of a ledger on a Redis server whose address holds secrets, whatever the server says. */
import { createServer, type Socket } from "node:net"
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { CreditLedger } from "../../src/index.ts"
import { encoded, everythingVisible, hostKey, leaksIn, password, traces, user } from "./visible.ts"

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

const visibleOn = (url: string) =>
  everythingVisible(CreditLedger.layerRedis({ url }), CreditLedger.setSpentOnRedis({ url }, 5))

describe("the secrets of a Redis server's address are nowhere to be seen when", () => {
  const checkAddress = (what: string, addressOf: (port: number) => string, said: RegExp, answers: Answers) =>
    it.live(
      what,
      () =>
        Effect.gen(function* () {
          const seen = yield* visibleOn(addressOf(yield* serveRedis(answers)))
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
