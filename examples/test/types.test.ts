/** What an editor shows of results and of mistakes: names, and one line. Declarations that are emitted name types as hovers do. */
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

/** The expression, and the type that is shown for it. */
const shown: ReadonlyArray<readonly [expression: string, type: string]> = [
  ["Evm.getLogs({})", "Effect.Effect<readonly Evm.Log[], RpcError, RpcClient.RpcClient>"],
  ['Evm.getBlockByNumber("0x1", true)', "Evm.Call<Evm.Block | null>"],
  ['Evm.getTransactionReceipt("0x00")', "Effect.Effect<Evm.Receipt | null, RpcError, RpcClient.RpcClient>"],
  ['Evm.getTransactionByHash("0x00")', "Evm.Call<Evm.Transaction | null>"],
  ["Evm.scanLogs({})", "Stream.Stream<Evm.Log, RpcError, RangeScan.RangeScan>"],
  ["RangeScan.scan(Evm.GetLogs, [{}])", "Stream.Stream<Evm.Log, RpcError, RpcClient.RpcClient>"],
  [
    'RangeScan.scan(Evm.GetBlockRange, ["0x0", "latest", true])',
    "Stream.Stream<Evm.Block, RpcError, RpcClient.RpcClient>",
  ],
  [
    "RangeScan.parts(L2Events.GetEvents, { filter })",
    "Stream.Stream<RangeScan.Part<L2Events.EmittedEvent>, RpcError, RpcClient.RpcClient>",
  ],
  ["RangeScan.RangeScan.scan(Evm.GetLogs, [{}])", "Stream.Stream<Evm.Log, RpcError, RangeScan.RangeScan>"],
  // The type of a method that was found by its name is unknown.
  ["RangeScan.scan(found, [{}])", "Stream.Stream<Json.Json, RpcError, RpcClient.RpcClient>"],
  ["L2Events.getEvents(filter)", "Effect.Effect<L2Events.EventPage, RpcError, RpcClient.RpcClient>"],
  ["L2Events.scanEvents(filter)", "Stream.Stream<L2Events.EmittedEvent, RpcError, RpcClient.RpcClient>"],
  [
    'TokenAccounts.getTransaction("x")',
    "Effect.Effect<TokenAccounts.TransactionResult | null, RpcError, RpcClient.RpcClient>",
  ],
  [
    'TokenAccounts.getTokenAccountsByDelegate("x", { mint: "x" })',
    "Effect.Effect<TokenAccounts.AccountList, RpcError, RpcClient.RpcClient>",
  ],
  ["Effect.map(Evm.getLogs({}), ([log]) => log)", "Effect.Effect<Evm.Log | undefined, RpcError, RpcClient.RpcClient>"],
  [
    'Effect.map(Evm.getTransactionReceipt("0x00"), (receipt) => receipt?.logs)',
    "Effect.Effect<readonly Evm.Log[] | undefined, RpcError, RpcClient.RpcClient>",
  ],
  // A result is JSON still: a type that only has a name would not fit what takes JSON.
  [
    "Effect.map(Evm.getLogs({}), (logs) => Json.stringify(logs))",
    "Effect.Effect<string, RpcError, RpcClient.RpcClient>",
  ],
]

const program = `
import { HttpTransport, RangeScan, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { serve } from "@dotrpc/gateway/server"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { defineNetwork, Json, type Method, type RpcError } from "@dotrpc/spec"
import { Effect, Layer, Stream } from "effect"
export type Imported = typeof EmbeddedGateway | typeof serve | RpcError | Layer.Layer<RangeScan.RangeScan> | Stream.Stream<RpcClient.RpcClient>
declare const found: Method
// @ts-expect-error The filter has no such member.
RangeScan.scan(Evm.GetLogs, [{ fromblock: "0x0" }])
// @ts-expect-error One filter is missing.
RangeScan.scan(Evm.GetLogs, [])
const filter: L2Events.EventFilter = { from_block: "latest", to_block: "latest", chunk_size: 1 }
`

const forgotten = `
import { HttpTransport, RpcClient } from "@dotrpc/core"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
const networks = [defineNetwork({ id: "main", plugin: "evm", url: "https://main.example/v3/KEY" })]
const client = RpcClient.layerMetered({ networks }).pipe(Layer.provide(HttpTransport.layer()))
void Effect.runPromise(Effect.provide(Evm.getLogs({}), client))
`

/** Below `node_modules`, where git does not look, and the packages are found by their names. */
const room = join(import.meta.dirname, "../node_modules/.types")

describe("an editor shows", () => {
  let problems = ""
  let declared = ""
  beforeAll(async () => {
    rmSync(room, { recursive: true, force: true })
    mkdirSync(room, { recursive: true })
    writeFileSync(join(room, "package.json"), '{ "type": "module" }')
    writeFileSync(
      join(room, "shown.ts"),
      program + shown.map(([expression], index) => `export const v${index} = ${expression}\n`).join(""),
    )
    writeFileSync(join(room, "forgotten.ts"), forgotten)
    const config = {
      extends: "@dotrpc/tsconfig/base.json",
      files: ["shown.ts", "forgotten.ts"],
      compilerOptions: {
        types: ["node"],
        customConditions: [],
        noUnusedLocals: false,
        skipLibCheck: false,
        noEmit: false,
        composite: false,
        incremental: false,
        declaration: true,
        emitDeclarationOnly: true,
        outDir: "out",
      },
    }
    writeFileSync(join(room, "tsconfig.json"), JSON.stringify(config))
    const compiler = join(import.meta.dirname, "../node_modules/.bin/tsc")
    problems = await promisify(execFile)(compiler, ["-p", room, "--pretty", "false"], { cwd: room }).then(
      () => "",
      (error: { readonly stdout: string }) => error.stdout,
    )
    declared = readFileSync(join(room, "out/shown.d.ts"), "utf8")
  })
  afterAll(() => rmSync(room, { recursive: true, force: true }))

  shown.forEach(([expression, type], index) =>
    it(`${type} for ${expression}`, () =>
      expect(declared.split("\n")).toContain(`export declare const v${index}: ${type};`)),
  )

  it("no problem in the declarations of what a script imports, those of others included", () =>
    expect(problems.split("\n").filter((line) => /^\S/.test(line) && !line.startsWith("forgotten.ts"))).toEqual([]))

  it("a forgotten ledger in one line that names it", () => {
    const [problem = "", why, ...more] = problems.trim().split("\n")
    expect(problem).toMatch(
      /^forgotten\.ts\(8,24\): error TS\d+: Argument of type 'Effect<readonly Log\[\], .*, CreditLedger>'/,
    )
    expect(problem.length).toBeLessThan(400)
    expect(why?.trim()).toBe("Type 'CreditLedger' is not assignable to type 'never'.")
    expect(more).toEqual([])
  })
})
