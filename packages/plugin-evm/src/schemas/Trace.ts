/** One step of a transaction in the form of the `trace_` methods: a call, a creation, an end of a contract, or a reward. */
import { unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { Address, Data, Hash, Quantity } from "./Hex.ts"

const Action = Schema.Struct({
  callType: unneeded(Schema.String).annotateKey({ description: "`call`, `delegatecall`, `staticcall` or `callcode`." }),
  from: unneeded(Address).annotateKey({ description: "Who calls or creates." }),
  to: unneeded(Address).annotateKey({ description: "The called account." }),
  value: unneeded(Quantity).annotateKey({ description: "Wei sent along." }),
  gas: unneeded(Quantity).annotateKey({ description: "Gas it may use." }),
  input: unneeded(Data).annotateKey({ description: "Data of a call." }),
  init: unneeded(Data).annotateKey({ description: "Code that creates a contract." }),
  address: unneeded(Address).annotateKey({ description: "The contract that ends." }),
  refundAddress: unneeded(Address).annotateKey({ description: "Who receives the balance of a contract that ends." }),
  balance: unneeded(Quantity).annotateKey({ description: "The balance of a contract that ends, in wei." }),
  author: unneeded(Address).annotateKey({ description: "Who receives a reward." }),
  rewardType: unneeded(Schema.String).annotateKey({ description: "`block` or `uncle`." }),
})

const Outcome = Schema.Struct({
  gasUsed: unneeded(Quantity).annotateKey({ description: "Gas it used." }),
  output: unneeded(Data).annotateKey({ description: "Bytes it returned." }),
  address: unneeded(Address).annotateKey({ description: "The created contract." }),
  code: unneeded(Data).annotateKey({ description: "Code of the created contract." }),
})

const traceStruct = Schema.Struct({
  type: Schema.String.annotateKey({ description: "`call`, `create`, `suicide` or `reward`." }),
  action: Action.annotateKey({ description: "What was asked for." }),
  result: unneeded(Outcome).annotateKey({ description: "What came of it; `null` when it failed." }),
  error: unneeded(Schema.String).annotateKey({ description: "Why it failed." }),
  subtraces: unneeded(Schema.Number).annotateKey({ description: "How many steps it made itself." }),
  traceAddress: unneeded(Schema.Array(Schema.Number)).annotateKey({
    description: "Its place in the tree: `[0, 1]` is the second step of the first one.",
  }),
  transactionHash: unneeded(Hash).annotateKey({ description: "Its transaction." }),
  transactionPosition: unneeded(Schema.Number).annotateKey({
    description: "Position of the transaction in the block.",
  }),
  blockHash: unneeded(Hash).annotateKey({ description: "Its block." }),
  blockNumber: unneeded(Schema.Number).annotateKey({ description: "Number of its block." }),
})

/** One call, creation or other action inside a transaction. */
export type Trace = { [Name in keyof typeof traceStruct.Type]: (typeof traceStruct.Type)[Name] }
export const Trace = Schema.Opaque<Trace>()(traceStruct)

const replayStruct = Schema.Struct({
  output: Data.annotateKey({ description: "Bytes it returned." }),
  trace: unneeded(Schema.Array(Trace)).annotateKey({ description: "Its steps, when `trace` was asked for." }),
  stateDiff: unneeded(Schema.Unknown).annotateKey({ description: "What it changed, when `stateDiff` was asked for." }),
  vmTrace: unneeded(Schema.Unknown).annotateKey({ description: "Each instruction, when `vmTrace` was asked for." }),
  transactionHash: unneeded(Hash).annotateKey({ description: "The transaction." }),
})

/** What the `trace_` methods that run something return: its steps, and more as it was asked for. */
export type Replay = { [Name in keyof typeof replayStruct.Type]: (typeof replayStruct.Type)[Name] }
export const Replay = Schema.Opaque<Replay>()(replayStruct)

/** What a method that runs something returns. */
export const TraceTypes = Schema.Array(Schema.Literals(["trace", "stateDiff", "vmTrace"]))

export type TraceTypes = typeof TraceTypes.Type
