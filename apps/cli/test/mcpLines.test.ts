/** The lines of `dotrpc mcp`, whatever pieces they leave in. */
import { Effect, Fiber, Stream } from "effect"
import { PassThrough } from "node:stream"
import { expect, it } from "vitest"
import { stdioOf } from "../src/mcp/lines.ts"
import { outputOf } from "../src/Output.ts"
import { hostAt } from "./dotrpc.ts"
import { Printed } from "./running.ts"

const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a", version: "1" } }
const first = { jsonrpc: "2.0", id: 1, method: "initialize", params: client }

it("an id is free again once the answer has left, in whatever pieces", async () => {
  const stdin = new PassThrough()
  const printed = new Printed()
  const host = hostAt({ stdin }, printed)
  const stdio = stdioOf(host, outputOf(host), () => {})
  const heard: Array<string> = []
  await Effect.gen(function* () {
    const reading = yield* Effect.forkChild(
      Stream.runForEach(stdio.stdin, (line) => {
        heard.push(new TextDecoder().decode(line))
        // The answer to the first one, and only then the second one.
        if (heard.length > 1) return Effect.void
        return Stream.make('{"jsonrpc":"2.0","i', 'd":1,"result":{}}', "\n").pipe(
          Stream.run(stdio.stdout()),
          Effect.tap(() => Effect.sync(() => stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'))),
        )
      }),
    )
    stdin.write(`${JSON.stringify(first)}\n`)
    yield* Fiber.join(reading)
  }).pipe(Effect.runPromise)
  expect([heard.length, printed.stdout]).toEqual([2, '{"jsonrpc":"2.0","id":1,"result":{}}\n'])
})
