/** What a server answers from where a test says what each call gets. */
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import { Gateway } from "../../src/index.ts"
import type { Answering } from "../../src/server/Server.ts"

export const answering = (call: (method: string) => Effect.Effect<Json.Json>): Answering => {
  const replyTo = (body: string): Effect.Effect<string | undefined> => {
    const asked = Json.parse(body)
    const { id, method } = Json.isObject(asked) ? asked : {}
    return id === undefined
      ? Effect.succeed(undefined)
      : Effect.map(call(String(method)), (result) => Json.stringify({ jsonrpc: "2.0", id, result }))
  }
  return {
    ...Gateway.make(),
    handle: ({ body }) => Effect.map(replyTo(body), (text = "") => ({ status: 200, headers: {}, body: text })),
    connect: () => ({
      handle: ({ body }) => Effect.map(replyTo(body), (text) => ({ text, sent: () => {} })),
      close: () => {},
    }),
  }
}
