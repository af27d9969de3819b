/** Proofs of an account and its storage, and several positions of storage at once. */
import { type Json, RpcClient, Table } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { quantity } from "../convert.ts"
import { showEther } from "../rows/amount.ts"
import { fieldTable } from "../rows/fields.ts"
import { renderJson } from "../rows/values.ts"
import { type BlockReference, referenceIssues, settledAt } from "../schemas/BlockReference.ts"
import { Address, Data, Hash, type Hex, Quantity } from "../schemas/Hex.ts"
import { OpaqueObject } from "../schemas/Opaque.ts"
import { StoragePosition } from "../schemas/StoragePosition.ts"
import {
  addressAt,
  at,
  evmMethod,
  referenceAt,
  referenceWords,
  stateBlock,
  stateBlockWords,
  type Call,
} from "./evmMethod.ts"

/** The account and some positions of its storage, with the nodes of the tries that prove them. */
export const getProof = (
  address: Address,
  positions: ReadonlyArray<StoragePosition>,
  block: BlockReference = "latest",
): Call<AccountProof> => RpcClient.call(GetProof, [address, positions, block])

/** Values at several positions of several accounts. Few nodes offer it. */
export const getStorageValues = (
  positions: Readonly<Record<Address, ReadonlyArray<StoragePosition>>>,
  block: BlockReference = "latest",
): Call<Json.JsonObject> => RpcClient.call(GetStorageValues, [positions, block])

const accountProofStruct = Schema.Struct({
  address: Address.annotateKey({ description: "The account." }),
  balance: Quantity.annotateKey({ description: "Its balance in wei." }),
  nonce: Quantity.annotateKey({ description: "Its nonce." }),
  codeHash: Hash.annotateKey({ description: "Keccak-256 of its code." }),
  storageHash: Hash.annotateKey({ description: "Root of its storage." }),
  accountProof: Schema.Array(Data).annotateKey({
    description: "Nodes of the state trie, from the root to the account.",
  }),
  storageProof: Schema.Array(
    Schema.Struct({
      key: StoragePosition.annotateKey({ description: "The position." }),
      value: Quantity.annotateKey({ description: "Its value." }),
      proof: Schema.Array(Data).annotateKey({
        description: "Nodes of the storage trie, from the root to the position.",
      }),
    }),
  ).annotateKey({ description: "One for each position." }),
})

/** An account and some of its storage, with the nodes of the tries that prove them. */
export type AccountProof = { [Name in keyof typeof accountProofStruct.Type]: (typeof accountProofStruct.Type)[Name] }
export const AccountProof = Schema.Opaque<AccountProof>()(accountProofStruct)

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

/** `eth_getProof`: an account and its storage, with proofs. */
export const GetProof = evmMethod({
  name: "eth_getProof",
  summary: "An account and its storage, with proofs",
  returns:
    "Returns an account and the values at some positions of its storage, each with the trie nodes that prove it against the state root of the block.",
  takes: [
    ["address", "20 bytes"],
    ["positions", "storage positions in hex; may be empty"],
    ["block", referenceWords],
  ],
  errors: "Unsupported: the node no longer has the state of this block; many keep proofs of recent blocks only.",
  params: Schema.Tuple([
    addressAt(0, "the address of the account"),
    at(Schema.Array(StoragePosition), 1, "the storage positions to prove, an array that may be empty"),
    referenceAt(2),
  ]),
  result: AccountProof,
  credits: 150,
  examples: [
    { title: "An account alone", params: [token, [], "latest"] },
    { title: "With the variable in slot 2", params: [token, ["0x2"], "latest"] },
  ],
  check: ([, , block], network) => referenceIssues(block, [2], network),
  permanence: ([, , block]) => settledAt(block),
  render: (proof, limit, context) =>
    fieldTable(
      [
        { name: "address", value: proof.address, page: ["address", proof.address] },
        { name: "balance", value: showEther(quantity(proof.balance)) },
        { name: "nonce", value: Table.groupDigits(quantity(proof.nonce)) },
        { name: "code hash", value: proof.codeHash },
        { name: "storage root", value: proof.storageHash },
        { name: "proof", value: countOf(proof.accountProof) },
      ],
      `${showEther(quantity(proof.balance))} · nonce ${quantity(proof.nonce)} · proof of ${countOf(proof.accountProof)}`,
      limit,
      context,
      proof.storageProof,
      ({ key, proof: nodes, value }) => ({
        name: `at ${Table.shortening(context)(key)}`,
        value: `${Table.groupDigits(quantity(value))} · ${countOf(nodes)}`,
      }),
    ),
})

const countOf = (nodes: ReadonlyArray<Hex>): string => `${nodes.length} ${nodes.length === 1 ? "node" : "nodes"}`

const Requests = Schema.Record(Schema.String, Schema.Array(StoragePosition)).annotate({
  expected: "an object of arrays of storage positions, by address",
})

/** `eth_getStorageValues`: values at several storage positions of several accounts. */
export const GetStorageValues = evmMethod({
  name: "eth_getStorageValues",
  summary: "Values at several storage positions of several accounts",
  returns: "Returns for each address the values at its positions, in their order. Few nodes offer it.",
  takes: [
    ["positions", "an object: for each address an array of storage positions"],
    ["block", stateBlockWords],
  ],
  params: Schema.Tuple([at(Requests, 0, "the storage positions, by address"), stateBlock]),
  result: OpaqueObject,
  examples: [{ title: "Two variables of a token", params: [{ [token]: ["0x0", "0x2"] }, "latest"] }],
  check: ([, block], network) => referenceIssues(block, [1], network),
  permanence: ([, block]) => settledAt(block),
  render: renderJson,
})
