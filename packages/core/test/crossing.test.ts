/** Errors that cross to another process through the schemas of Effect's rpc, and take no key with them. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { Rpc } from "effect/rpc"
import { RpcError } from "@dotrpc/spec"
import { HttpTransport } from "../src/index.ts"
import { request, send } from "./scripted.ts"
import { type Call, reply, serve } from "./server.ts"

const getLogs = Rpc.make("GetLogs", { success: Schema.String, error: RpcError.schema })
const codec = Schema.toCodecJson(Rpc.exitSchema(getLogs))

const key = "c4n4ry-K3Y"

const check = (name: string, answer: (call: Call) => void) =>
  it.live(`an error crosses whole and without the key: ${name}`, () =>
    Effect.gen(function* () {
      const { network } = yield* serve(answer, key)
      const exit = yield* Effect.exit(Effect.map(send(request({ network })), () => "a result"))
      const crossed = JSON.stringify(yield* Schema.encodeEffect(codec)(exit))
      assert.notInclude(crossed, key)
      const [before, after] = [exit, yield* Schema.decodeUnknownEffect(codec)(JSON.parse(crossed))].map((exit) =>
        Exit.isFailure(exit) ? Exit.findErrorOption(exit) : undefined,
      )
      assert.deepStrictEqual(after, before)
    }).pipe(Effect.provide(HttpTransport.layer())),
  )

check("the key in the words and the data of the server", ({ id, response }) =>
  response.end(
    JSON.stringify({
      jsonrpc: "2.0",
      id,
      error: { code: -32000, message: `no key ${key}`, data: { url: `https://mainnet.example/v3/${key}`, wei: 1 } },
    }),
  ),
)
check("a refusal with a page", reply(401, `<b>${key} is not known</b>`))
check("a reply that breaks off", ({ response }) => void response.socket?.destroy())
