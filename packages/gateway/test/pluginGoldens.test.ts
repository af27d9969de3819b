/** The golden files of the plugins were taken from this gateway, and it still gives the same answers. */
import { parseGolden, replay } from "@dotrpc/plugin-kit"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { type Plugin, RpcError, RpcReason, Transport } from "@dotrpc/spec"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { EmbeddedGateway, Gateway } from "../src/index.ts"

/** Below the gateway there is nothing: a call that it passes on was meant for it. */
const nowhere = Layer.succeed(Transport, {
  send: ({ method, network }) =>
    Effect.fail(
      new RpcError({
        method: method.name,
        network: network.id,
        reason: new RpcReason.Transport({ said: "not embedded" }),
        outcome: "unsent",
      }),
    ),
})

const embedded = EmbeddedGateway.layerOf(Gateway.make()).pipe(Layer.provide(nowhere))

const check = (plugin: Plugin, name: string) => {
  const folder = new URL(`../../${name}/test/io/`, import.meta.url)
  const network = EmbeddedGateway.networks.find((entry) => entry.plugin === plugin.id)
  if (network === undefined) throw new Error(`no embedded network belongs to ${plugin.id}`)
  for (const file of readdirSync(folder))
    it.effect(file, () =>
      Effect.gen(function* () {
        const golden = parseGolden(readFileSync(new URL(file, folder), "utf8"))
        const differences = yield* replay(golden, { plugin, networks: [network] })
        assert.deepStrictEqual(
          differences.map(({ message }) => message),
          [],
        )
      }).pipe(Effect.provide(embedded)),
    )
}

describe("the gateway answers as the plugins' golden files say", () => {
  check(Evm.plugin, "plugin-evm")
  check(TokenAccounts.plugin, "plugin-token-accounts")
  check(L2Events.plugin, "plugin-l2-events")
})
