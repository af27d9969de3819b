/** What can be seen of a ledger on a PostgreSQL server whose URL has secrets, whatever the server says. */
import { type AddressInfo, createServer, type Socket } from "node:net"
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { PostgresLedger } from "../../src/index.ts"
import { encoded, everythingVisible, hostKey, leaksIn, password, user } from "./visible.ts"

/** A message of the protocol: its letter, its length, and its content. */
const message = (letter: string, content: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + content.length)
  return Buffer.concat([Buffer.from(letter), length, content])
}

const errorOf = (code: string, text: string): Buffer =>
  message("E", Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`))

/** Lets everybody in, and is ready for a query. */
const ready = message("Z", Buffer.from("I"))
const welcome = Buffer.concat([message("R", Buffer.alloc(4)), ready])

/** A server that answers what it is sent first, and everything after that; `undefined` hangs up. */
const servePostgres = (first: Buffer | undefined, then?: Buffer): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        let answer = first
        sockets.add(socket.on("error", () => undefined))
        socket.on("data", () => {
          if (answer === undefined) socket.destroy()
          else socket.write(answer)
          answer = then
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const close = () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
      return { close, port: (server.address() as AddressInfo).port }
    }),
    ({ close }) => Effect.sync(close),
  ).pipe(Effect.map(({ port }) => port))

const visibleOn = (url: string) => everythingVisible(PostgresLedger.layer({ url }), PostgresLedger.setSpent({ url }, 5))

describe("the secrets of a PostgreSQL server's URL are nowhere to be seen when", () => {
  const check = (what: string, said: RegExp, first: Buffer | undefined, then?: Buffer, query = "sslmode=disable") =>
    it.live(
      what,
      () =>
        Effect.gen(function* () {
          const port = yield* servePostgres(first, then)
          const seen = yield* visibleOn(`postgres://${user}:${encoded}@127.0.0.1:${port}/${hostKey}?${query}`)
          assert.match(seen, said)
          assert.deepStrictEqual(leaksIn(seen), [])
        }).pipe(Effect.scoped),
      30_000,
    )

  const all = `${user} ${password} ${encoded} ${hostKey} postgres://${user}:${encoded}@127.0.0.1/${hostKey}`
  check("it refuses them and repeats them", /refused \(••• •••/, errorOf("28P01", all))
  check("it does not know the database and names it", /refused \(••• •••/, errorOf("3D000", all))
  check("it starts and repeats them", /cannot be reached \(••• •••/, errorOf("57P03", all))
  check("a query fails and repeats them", /refused \(••• •••/, welcome, Buffer.concat([errorOf("42501", all), ready]))
  check("it says far more than anybody reads", /refused \(x x/, errorOf("28000", `${"x ".repeat(100_000)}${all}`))
  check("it does not speak the protocol", /cannot be reached/, Buffer.from(all))
  check("it hangs up", /cannot be reached/, undefined)
  check("it hangs up on a query", /cannot be reached/, welcome)
  check(
    "the URL has a mode of TLS that does not exist",
    /cannot be reached|refused/,
    undefined,
    undefined,
    `sslmode=${password}`,
  )
  check(
    "they are in the query of the URL",
    /refused/,
    errorOf("28P01", all),
    undefined,
    `password=${encoded}&user=${user}`,
  )

  it.live("nobody is there, and the name of the host is one of them", () =>
    Effect.gen(function* () {
      const seen = yield* visibleOn(`postgres://${user}:${encoded}@${hostKey}.postgres.localhost:1/team`)
      assert.match(seen, /the PostgreSQL server at •••\.postgres\.localhost:1 cannot be reached/)
      assert.deepStrictEqual(leaksIn(seen), [])
    }),
  )

  for (const url of [`http://${user}:${encoded}@host`, `postgres//${user}:${encoded}@host`, `${encoded}`])
    it.effect(`the URL is of no use: ${url.slice(0, 9)}`, () =>
      Effect.gen(function* () {
        const said = inspect(yield* Effect.flip(Layer.build(PostgresLedger.layer({ url }))))
        assert.match(said, /Write the URL of a PostgreSQL server as/)
        assert.deepStrictEqual(leaksIn(said), [])
      }).pipe(Effect.scoped),
    )
})
