/** The error of a browser that gave no reply. */
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork, RpcError, RpcReason, Transport } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
import { expect, test } from "vitest"

import { originCheck } from "../../src/run/originCheck.ts"

const key = "canary-51ab3c"

const check = async (parts: {
  readonly reason?: RpcError["reason"]
  readonly url?: string
  readonly page?: string
  readonly isAway?: true
}): Promise<{ readonly said: string; readonly probed: ReadonlyArray<string> }> => {
  const reason = parts.reason ?? new RpcReason.Transport({ said: "could not connect (Failed to fetch)" })
  const failing = Layer.succeed(Transport, {
    send: () => Effect.fail(new RpcError({ method: "eth_call", network: "main", reason, outcome: "unsent" })),
  })
  const probed: Array<string> = []
  const probe = (origin: string) => {
    probed.push(origin)
    return parts.isAway === true ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve()
  }
  const network = defineNetwork({ id: "main", plugin: "evm", url: parts.url ?? `https://node.example/v3/${key}` })
  const send = Effect.flatMap(Transport, (transport) => transport.send({ method: Evm.GetLogs, network, params: [{}] }))
  const error = await Effect.runPromise(
    Effect.flip(send).pipe(
      Effect.provide(originCheck(parts.page ?? "https://editor.example", probe).pipe(Layer.provide(failing))),
    ),
  )
  const said = `${error.reason._tag}: ${error.reason.message}`
  expect(said + probed.join()).not.toContain(key)
  return { said, probed }
}

test("a server that is there does not allow the page", async () =>
  expect(await check({})).toEqual({
    said: "OriginRefused: node.example does not allow requests from https://editor.example",
    probed: ["https://node.example"],
  }))

test("a server that is away stays away", async () =>
  expect((await check({ isAway: true })).said).toBe("Transport: could not connect (Failed to fetch)"))

test("a page that came over TLS may not call without it, but on its own machine", async () => {
  expect(await check({ url: "http://node.example/rpc" })).toEqual({
    said: "OriginRefused: https://editor.example was loaded over https and may not call node.example over plain http",
    probed: [],
  })
  expect((await check({ url: "http://127.0.0.1:8545/rpc" })).probed).toEqual(["http://127.0.0.1:8545"])
})

test("other failures are reported as they are", async () =>
  expect(await check({ reason: new RpcReason.Timeout({ millis: 5 }) })).toMatchObject({ probed: [] }))
