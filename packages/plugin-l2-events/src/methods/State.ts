/** The state at a block: storage, nonces, classes, calls, and what a block changed. */
import { type Method, type Network, RpcClient, type RpcError, Table } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Block, type BlockId, type BlockParam, checkBlock, permanenceAt } from "../BlockId.ts"
import { Felt } from "../Felt.ts"
import { exampleAccount, exampleContract, exampleSlot } from "../internal/exampleFelts.ts"
import { storageFlags } from "../internal/flags.ts"
import { Hex } from "../internal/hex.ts"
import { u64From } from "../internal/integer.ts"
import { read } from "../internal/read.ts"
import { feltTable, feltValue } from "../internal/transactionRows.ts"
import { selector } from "../Selector.ts"
import { type StateDiff, StateUpdate } from "../StateUpdate.ts"

const block_id = Block.annotateKey({ description: "A tag, a hash or a number." })
const contract_address = Felt.annotateKey({ description: "The contract." })

const blockRow =
  '| `block_id` | `"latest"`, `"pre_confirmed"`, `"l1_accepted"`, `{ "block_number": 100 }` or `{ "block_hash": "0x…" }` |'

/** Params that name a block. */
export interface AtBlock {
  readonly block_id: BlockParam
}

const check = ({ block_id: block }: AtBlock, network: Network) => checkBlock(block, ["block_id"], network)
const permanence = ({ block_id: block }: AtBlock) => permanenceAt(block)

const contractParams = Schema.Struct({ block_id, contract_address })
/** The params of a method that reads a contract. */
export type ContractParams = typeof contractParams.Type

const contractExamples = [
  { title: "A contract now", params: { block_id: "latest" as const, contract_address: exampleContract } },
]

const storageParams = Schema.Struct({
  contract_address,
  key: Felt.annotateKey({ description: "The storage key." }),
  block_id,
  response_flags: storageFlags,
})
/** The params of `l2_getStorageAt`. */
export type StorageParams = typeof storageParams.Type

/** A value with the block that wrote it last. */
export interface StorageValue {
  readonly value: string
  readonly last_update_block: number | bigint
}

/** The value of a storage key. */
export const GetStorageAt: Method<StorageParams, string | StorageValue> = read({
  name: "l2_getStorageAt",
  summary: "The value at a storage key of a contract.",
  docs: `Returns a felt; \`0x0\` where nothing was written. The params are an object.

| Member | |
|---|---|
| \`contract_address\` | a felt |
| \`key\` | a felt: of a plain variable, the selector of its name, \`{{selector("total_supply")}}\` |
${blockRow}
| \`response_flags\` | optional, from spec version 0.10 on: \`["INCLUDE_LAST_UPDATE_BLOCK"]\` makes the result an object |

**Result**: \`"0x1"\`, or \`{ "value": "0x1", "last_update_block": 12 }\` with the flag.

**Errors**: 20 contract not found · 24 block not found.`,
  params: storageParams,
  result: Schema.Union([Hex, Schema.Struct({ value: Hex, last_update_block: u64From(0) })]),
  examples: [
    {
      title: "A plain variable by its name",
      params: { contract_address: exampleContract, key: exampleSlot, block_id: "latest" },
    },
  ],
  check,
  permanence: (params) => (params.response_flags === undefined ? permanenceAt(params.block_id) : "changing"),
  render: (result) => feltValue(typeof result === "string" ? result : result.value),
})

/** How many transactions an account has sent. */
export const GetNonce: Method<ContractParams, string> = read({
  name: "l2_getNonce",
  summary: "How many transactions an account has sent.",
  docs: `Returns the nonce of an account as a felt; \`0x0\` of a contract that is not an account. The params are an object.

| Member | |
|---|---|
${blockRow}
| \`contract_address\` | a felt |

**Errors**: 20 contract not found · 24 block not found.`,
  params: contractParams,
  result: Hex,
  examples: [{ title: "An account now", params: { block_id: "latest", contract_address: exampleAccount } }],
  check,
  permanence,
  render: (nonce) => feltValue(nonce),
})

/** The class of a contract. */
export const GetClassHashAt: Method<ContractParams, string> = read({
  name: "l2_getClassHashAt",
  summary: "The hash of the class of a contract.",
  docs: `Returns the hash of the class, which is the code of a contract. The params are an object.

| Member | |
|---|---|
${blockRow}
| \`contract_address\` | a felt |

**Errors**: 20 contract not found · 24 block not found.`,
  params: contractParams,
  result: Hex,
  examples: contractExamples,
  check,
  permanence,
  render: (hash) => feltValue(hash),
})

const functionCallStruct = Schema.Struct({
  contract_address,
  entry_point_selector: Felt.annotateKey({ description: "The selector of the function's name." }),
  calldata: Schema.Array(Felt).annotateKey({ description: "Its arguments as felts." }),
})

/** A function of a contract, and what it is called with. */
export type FunctionCall = { [Name in keyof typeof functionCallStruct.Type]: (typeof functionCallStruct.Type)[Name] }
export const FunctionCall = Schema.Opaque<FunctionCall>()(functionCallStruct)

/** The params of `l2_call`. */
export interface CallParams extends AtBlock {
  readonly request: FunctionCall
}

/** Calls a function without a transaction. */
export const Call: Method<CallParams, ReadonlyArray<string>> = read({
  name: "l2_call",
  summary: "Calls a function of a contract without a transaction.",
  docs: `Returns what the function returns, as felts. The params are an object.

| Member | |
|---|---|
| \`request\` | \`{ "contract_address": "0x…", "entry_point_selector": {{selector("balanceOf")}}, "calldata": ["0x…"] }\` |
${blockRow}

An amount of 256 bits is two felts, the low 128 bits first.

**Errors**: 20 contract not found · 21 the contract has no such function · 24 block not found · 40 the function failed, with why in
the data of the error.`,
  params: Schema.Struct({ request: FunctionCall, block_id }),
  result: Schema.Array(Hex),
  examples: [
    {
      title: "The balance of an account in a token",
      params: {
        request: {
          contract_address: exampleContract,
          entry_point_selector: selector("balanceOf"),
          calldata: [exampleAccount],
        },
        block_id: "latest",
      },
    },
  ],
  check,
  permanence,
  render: (felts, limit) => feltTable(felts, limit),
})

const updateParams = Schema.Struct({
  block_id,
  contract_addresses: Schema.optionalKey(Schema.Array(Felt)).annotateKey({
    description: "Only changes of these contracts, from spec version 0.10 on.",
  }),
})
/** The params of `l2_getStateUpdate`. */
export type StateUpdateParams = typeof updateParams.Type

/** What a block changed in the state. */
export const GetStateUpdate: Method<StateUpdateParams, StateUpdate> = read({
  name: "l2_getStateUpdate",
  summary: "What a block changed in the state: storage, nonces and contracts.",
  docs: `Returns the roots of the state before and after a block, and everything that changed. The params are an object.

| Member | |
|---|---|
${blockRow}
| \`contract_addresses\` | optional, from spec version 0.10 on: only changes of these contracts |

**Result**: \`{ "block_hash", "old_root", "new_root", "state_diff": { "storage_diffs", "nonces", "deployed_contracts", … } }\`. The block
that is being built has no hash and no new root.

**Errors**: 24 block not found.`,
  params: updateParams,
  result: StateUpdate,
  examples: [{ title: "The newest block", params: { block_id: "latest" } }],
  check,
  permanence,
  render: ({ block_hash, state_diff }, limit, context) => {
    const rows = changesOf(state_diff, Table.shortening(context))
    return {
      noun: ["change", "changes"],
      total: rows.length,
      columns: [{ name: "contract" }, { name: "what" }, { name: "value", align: "right" }],
      rows: rows.slice(0, limit),
      headline: [
        Table.summarize({ noun: ["change", "changes"], total: rows.length, columns: [], rows: [] }),
        typeof block_hash === "string" ? `in ${Table.shorten(block_hash)}` : "in the block that is being built",
      ].join(" "),
    }
  },
})

const changesOf = (diff: StateDiff, shorten: typeof Table.shorten): ReadonlyArray<ReadonlyArray<string>> => [
  ...diff.deployed_contracts.map(({ address, class_hash }) => [shorten(address), "deployed", shorten(class_hash)]),
  ...diff.replaced_classes.map(({ class_hash, contract_address: of }) => [
    shorten(of),
    "new class",
    shorten(class_hash),
  ]),
  ...diff.declared_classes.map(({ class_hash }) => ["", "declared", shorten(class_hash)]),
  ...diff.nonces.map(({ contract_address: of, nonce }) => [shorten(of), "nonce", String(BigInt(nonce))]),
  ...diff.storage_diffs.flatMap(({ address, storage_entries }) =>
    storage_entries.map(({ key, value }) => [shorten(address), `storage ${shorten(key)}`, value]),
  ),
]

/**
 * The value at a storage key of a contract, `"0x0"` where nothing was written; in the newest block by default.
 *
 * @example
 * ```ts
 * const supply = L2Events.getStorageAt(token, L2Events.selector("ERC20_total_supply"))
 * ```
 */
export const getStorageAt = (
  contract: string,
  key: string,
  block: BlockId = "latest",
): Effect.Effect<string, RpcError, RpcClient> =>
  RpcClient.call(GetStorageAt, { contract_address: contract, key, block_id: block }).pipe(
    Effect.map((result) => (typeof result === "string" ? result : result.value)),
  )

/**
 * How many transactions an account has sent, as a felt; up to the newest block by default.
 *
 * @example
 * ```ts
 * const nonce = L2Events.getNonce(account, "pre_confirmed")
 * ```
 */
export const getNonce = (contract: string, block: BlockId = "latest"): Effect.Effect<string, RpcError, RpcClient> =>
  RpcClient.call(GetNonce, { block_id: block, contract_address: contract })

/**
 * The hash of the class of a contract; in the newest block by default.
 *
 * @example
 * ```ts
 * const hash = L2Events.getClassHashAt(contract)
 * ```
 */
export const getClassHashAt = (
  contract: string,
  block: BlockId = "latest",
): Effect.Effect<string, RpcError, RpcClient> =>
  RpcClient.call(GetClassHashAt, { block_id: block, contract_address: contract })

/**
 * What a function of a contract returns, as felts; in the newest block by default.
 *
 * @example
 * ```ts
 * const [low, high] = yield* L2Events.call({
 *   contract_address: token,
 *   entry_point_selector: L2Events.selector("balanceOf"),
 *   calldata: [account],
 * })
 * ```
 */
export const call = (
  request: FunctionCall,
  block: BlockId = "latest",
): Effect.Effect<ReadonlyArray<string>, RpcError, RpcClient> => RpcClient.call(Call, { request, block_id: block })

/**
 * What a block changed in the state; the newest one by default.
 *
 * @example
 * ```ts
 * const { state_diff } = yield* L2Events.getStateUpdate({ block_number: 100 })
 * ```
 */
export const getStateUpdate = (block: BlockId = "latest"): Effect.Effect<StateUpdate, RpcError, RpcClient> =>
  RpcClient.call(GetStateUpdate, { block_id: block })
