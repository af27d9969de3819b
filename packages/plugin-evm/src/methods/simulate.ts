/** Running whole blocks of calls, one after another. */
import { Json, RpcClient, type RpcError, type Table } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { type BlockReference, referenceIssues, settledAt } from "../schemas/BlockReference.ts"
import { CallRequest } from "../schemas/CallRequest.ts"
import { OpaqueObject } from "../schemas/Opaque.ts"
import { BlockOverride, StateOverride } from "../schemas/Overrides.ts"
import { renderCalls } from "../rows/simulation.ts"
import { at, evmMethod, stateBlock, stateBlockWords } from "./evmMethod.ts"

/**
 * Runs calls in blocks that follow each other, each on the state that the one before it left. Nothing is sent to the chain.
 *
 * @example
 * ```ts
 * const [block] = yield* Evm.simulateV1({ blockStateCalls: [{ calls: [{ from: alice, to: bob, value: "0x1" }] }] })
 * ```
 */
export const simulateV1 = (
  simulation: Simulation,
  block: BlockReference = "latest",
): Effect.Effect<ReadonlyArray<Json.JsonObject>, RpcError, RpcClient> => RpcClient.call(SimulateV1, [simulation, block])

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const simulationStruct = Schema.Struct({
  blockStateCalls: Schema.Array(
    Schema.Struct({
      blockOverrides: optional(BlockOverride).annotateKey({ description: "Members of the block that differ." }),
      stateOverrides: optional(StateOverride).annotateKey({ description: "Accounts that differ, by address." }),
      calls: optional(Schema.Array(CallRequest)).annotateKey({ description: "The calls of the block, in order." }),
    }),
  ).annotateKey({ description: "The blocks, in order." }),
  traceTransfers: optional(Schema.Boolean).annotateKey({ description: "`true` shows transfers of ether as logs." }),
  validation: optional(Schema.Boolean).annotateKey({
    description: "`true` checks nonces, balances and fees as a block does.",
  }),
  returnFullTransactions: optional(Schema.Boolean).annotateKey({
    description: "`true` returns whole transactions instead of their hashes.",
  }),
})

/** What simulated blocks did. */
export type Simulation = { [Name in keyof typeof simulationStruct.Type]: (typeof simulationStruct.Type)[Name] }
export const Simulation = Schema.Opaque<Simulation>()(simulationStruct)

const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const other = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"

/** `eth_simulateV1`: runs calls in blocks that follow each other. */
export const SimulateV1 = evmMethod({
  name: "eth_simulateV1",
  summary: "Runs calls in blocks that follow each other",
  returns:
    "Runs calls in blocks that follow each other, each on the state that the one before it left, and returns the blocks with what each call returned, used and logged. Nothing is sent to the chain.",
  takes: [
    ["simulation", "`blockStateCalls`, and `validation`, `traceTransfers`, `returnFullTransactions`"],
    ["block", stateBlockWords],
  ],
  params: Schema.Tuple([at(Simulation, 0, 'the simulation, { "blockStateCalls": [ … ] }'), stateBlock]),
  result: Schema.Array(OpaqueObject),
  examples: [
    {
      title: "Two payments in one block",
      params: [
        {
          blockStateCalls: [
            {
              calls: [
                { from: account, to: other, value: "0x1" },
                { from: other, to: account, value: "0x1" },
              ],
            },
          ],
        },
        "latest",
      ],
    },
  ],
  check: ([, block], network) => referenceIssues(block, [1], network),
  permanence: ([, block]) => settledAt(block),
  render: (blocks, limit, context): Table.Table =>
    renderCalls(
      blocks.flatMap((block) => (Json.isArray(block.calls) ? block.calls.map((call) => ({ block, call })) : [])),
      limit,
      context,
    ),
})
