import { defineNetwork, RpcError, RpcReason, type RpcRequest, Transport } from "@dotrpc/spec"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { parseGolden, replay } from "../src/index.ts"
import { counter, goldenText } from "./counter.ts"

const network = defineNetwork({ id: "live", plugin: "counter" })
const all = [
  { name: "a", value: 1 },
  { value: 18_446_744_073_709_551_615n, name: "b" },
]

const answering = (answer: (owner: unknown) => typeof all, said = "no such owner") =>
  Layer.succeed(Transport, {
    send: (request: RpcRequest) => {
      const [owner] = request.params as ReadonlyArray<unknown>
      if (owner === "ann") return Effect.succeed({ result: answer(owner) })
      const reason = new RpcReason.NotFound({ said })
      return Effect.fail(
        new RpcError({ method: request.method.name, network: request.network.id, reason, outcome: "rpc-error" }),
      )
    },
  })

const check = (
  title: string,
  transport: Layer.Layer<Transport>,
  differences: ReadonlyArray<readonly [number, RegExp]>,
) =>
  it.effect(title, () =>
    Effect.gen(function* () {
      const found = yield* replay(parseGolden(goldenText), { plugin: counter, networks: [network] })
      assert.deepStrictEqual(
        found.map(({ exchange }) => exchange.line),
        differences.map(([line]) => line),
      )
      for (const [index, [, said]] of differences.entries()) assert.match(found[index]?.message ?? "", said)
    }).pipe(Effect.provide(transport)),
  )

describe("replay", () => {
  check(
    "finds no difference in the same answers, whatever the order of their members",
    answering(() => all),
    [],
  )
  check(
    "finds a digit that differs",
    answering(() => [all[0] ?? { name: "", value: 0 }, { name: "b", value: 18_446_744_073_709_551_614n }]),
    [[4, /expected the result .*615}\], found the result .*614/]],
  )
  check(
    "finds an error in other words",
    answering(() => all, "who?"),
    [[9, /expected NotFound: no such owner, found NotFound: who\?/]],
  )
})
