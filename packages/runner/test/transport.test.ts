import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { CreditLedger, RpcClient, TransportKind } from "@dotrpc/core"
import { parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { Transport } from "@dotrpc/spec"
import { Effect, Layer, Stream } from "effect"
import { expect, it } from "vitest"
import { makePlan, run } from "../src/index.ts"

/** The ways that the requests of a text are sent. */
const ways = async (text: string): Promise<ReadonlyArray<string>> => {
  const sent: Array<string> = []
  const transport = Layer.succeed(Transport, {
    send: () =>
      Effect.map(TransportKind, (kind) => {
        sent.push(kind ?? "any")
        return { result: [] }
      }),
  })
  const { workspace } = makeWorkspace({
    plugins: [Evm.plugin],
    config: {
      networks: { evm: { plugin: "evm", url: "https://node.example/v3/k", wsUrl: "wss://node.example/ws/v3/k" } },
    },
    now: 0,
  })
  const live = RpcClient.layerMetered({ networks: workspace.networks.map(({ network }) => network) }).pipe(
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 3_000_000 })),
    Layer.provide(transport),
  )
  await Effect.runPromise(Stream.runDrain(run(makePlan(analyze(parse(text), workspace)))).pipe(Effect.provide(live)))
  return sent
}

const check = (what: string, text: string, expected: ReadonlyArray<string>) =>
  it(what, async () => expect(await ways(text)).toEqual(expected))

check("a request goes any way without a word", "###\neth_getLogs [{}]\n", ["any"])
check("a request goes the way its section says", "###\n# @transport ws\neth_getLogs [{}]\n", ["ws"])
check(
  "a section's word wins over the file's",
  "# @transport ws\n### a\neth_getLogs [{}]\n### b\n# @transport http\neth_getLogs [{}]\n",
  ["ws", "http"],
)
