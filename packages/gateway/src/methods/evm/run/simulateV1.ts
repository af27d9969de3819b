/** `eth_simulateV1`: blocks of calls that follow each other, each on the state after the one before it. */
import { Evm } from "@dotrpc/plugin-evm"
import type { Json } from "@dotrpc/spec"
import type { Hex } from "../../../chain/ChainJson.ts"
import { EMPTY_BLOOM } from "../../../chain/internal/bloom.ts"
import { BLOCK_TIME, type Header, headerHash, NO_NONCE, NO_UNCLES } from "../../../chain/internal/header.ts"
import { keccak, quantity, ZERO_WORD } from "../../../chain/internal/hex.ts"
import { rlpEncodeTyped, rlpInteger } from "../../../chain/internal/rlp.ts"
import { EMPTY_TRIE_ROOT, orderedTrieRoot } from "../../../chain/internal/trie.ts"
import type { BlockContext, Message, Outcome } from "../../../evm/Execution.ts"
import { REVERTED } from "../../../evm/Execution.ts"
import { invalidParams, serverFault } from "../../Fault.ts"
import { serveRun, type ServedMethod } from "../../ServedMethod.ts"
import type { EvmService } from "../EvmService.ts"
import { applyOverrides, contextOf, overridden } from "./contexts.ts"
import { prepare } from "./messages.ts"
import { revertFault } from "./revertFault.ts"
import { type Run, runAfter, RunFault } from "./running.ts"

/** The most blocks of one simulation, as with most nodes. */
const MOST_BLOCKS = 256

export const simulateV1 = (service: EvmService): ServedMethod =>
  serveRun({
    method: Evm.SimulateV1,
    network: service.network,
    needs: service.history,
    run: ([simulation, reference]) =>
      runAfter(service, reference, async (run) => {
        const { blockStateCalls, returnFullTransactions, traceTransfers, validation } = simulation
        if (blockStateCalls.length === 0) throw new RunFault(invalidParams("empty input"))
        if (blockStateCalls.length > MOST_BLOCKS) throw new RunFault({ code: -38026, message: "too many blocks" })
        for (const [name, isAsked] of Object.entries({ returnFullTransactions, traceTransfers, validation }))
          if (isAsked === true) throw new RunFault(invalidParams(`${name} is not supported here`))
        const blocks: Array<Json.JsonObject> = []
        let before: Before = { context: contextOf(run.block, run.number), hash: run.block.hash ?? ZERO_WORD }
        for (const asked of blockStateCalls) {
          const { block, next } = await simulated(service, run, before, asked)
          blocks.push(block)
          before = next
        }
        return blocks
      }),
  })

/** The block before a simulated one. */
interface Before {
  readonly context: BlockContext
  readonly hash: Hex
}

type AskedBlock = Evm.Simulation["blockStateCalls"][number]

/** A call that was simulated, and as a transaction. */
interface Done {
  readonly outcome: Outcome
  readonly hash: Hex
  readonly encoded: Uint8Array
}

const simulated = async (
  service: EvmService,
  { machine }: Run,
  before: Before,
  { blockOverrides, calls, stateOverrides }: AskedBlock,
): Promise<{ readonly block: Json.JsonObject; readonly next: Before }> => {
  const context = contextAfter(before, blockOverrides)
  await applyOverrides(machine, stateOverrides)
  const done: Array<Done> = []
  let left = context.gasLimit < service.limits.callGas ? context.gasLimit : service.limits.callGas
  for (const call of calls ?? []) {
    const { context: seen, message } = prepare(service, call, context, left)
    if (message.gas > left)
      throw new RunFault({ code: -38015, message: `block gas limit reached: ${message.gas} > ${left}` })
    const nonce = call.nonce ?? quantity(await machine.nonceOf(message.from))
    const encoded = encodedCall(service.chain().chainId, message, nonce)
    const outcome = await machine.run(message, seen)
    left -= outcome.gasUsed
    done.push({ outcome, encoded, hash: keccak(encoded) })
  }
  const header = headerOf(before, context, done)
  const hash = headerHash(header)
  const transactions = done.map((each) => each.hash)
  return {
    block: { ...header, hash, size: "0x0", uncles: [], transactions, calls: callsOf(done, header, hash) },
    next: { context, hash },
  }
}

const contextAfter = ({ context: before }: Before, overrides: AskedBlock["blockOverrides"]): BlockContext => {
  const following: BlockContext = {
    ...before,
    number: before.number + 1n,
    timestamp: before.timestamp + BigInt(BLOCK_TIME),
    // Nothing is validated, so calls may be free.
    baseFee: 0n,
  }
  const context = overridden(following, overrides)
  if (context.number <= before.number)
    throw new RunFault({
      code: -38020,
      message: `block numbers must be in order: ${context.number} <= ${before.number}`,
    })
  if (context.timestamp <= before.timestamp)
    throw new RunFault({
      code: -38021,
      message: `block timestamps must be in order: ${context.timestamp} <= ${before.timestamp}`,
    })
  return context
}

const headerOf = (before: Before, context: BlockContext, done: ReadonlyArray<Done>): Header => ({
  parentHash: before.hash,
  sha3Uncles: NO_UNCLES,
  miner: context.feeRecipient,
  stateRoot: ZERO_WORD,
  transactionsRoot: orderedTrieRoot(done.map(({ encoded }) => encoded)),
  receiptsRoot: EMPTY_TRIE_ROOT,
  logsBloom: EMPTY_BLOOM,
  difficulty: quantity(context.difficulty),
  number: quantity(context.number),
  gasLimit: quantity(context.gasLimit),
  gasUsed: quantity(done.reduce((sum, { outcome }) => sum + outcome.gasUsed, 0n)),
  timestamp: quantity(context.timestamp),
  extraData: "0x",
  mixHash: context.prevRandao,
  nonce: NO_NONCE,
  baseFeePerGas: quantity(context.baseFee),
})

const callsOf = (done: ReadonlyArray<Done>, { number }: Header, blockHash: Hex) => {
  let logIndex = 0
  return done.map(({ hash: transactionHash, outcome }, index) => ({
    returnData: outcome.returned,
    logs: outcome.logs.map((log) => ({
      address: log.address,
      topics: [...log.topics],
      data: log.data,
      blockNumber: number,
      blockHash,
      transactionHash,
      transactionIndex: quantity(index),
      logIndex: quantity(logIndex++),
      removed: false,
    })),
    gasUsed: quantity(outcome.gasUsed),
    status: outcome.failure === undefined ? "0x1" : "0x0",
    ...(outcome.failure === undefined ? {} : { error: errorOf(outcome.failure, outcome.returned) }),
  }))
}

/** The error of a call inside a block, with the code that nodes give it there. */
const errorOf = (failure: string, returned: Hex): Json.JsonObject =>
  failure === REVERTED
    ? { ...revertFault(failure, returned), data: returned }
    : { code: -32015, message: serverFault(failure).message }

/** A call as a transaction without a signature: what its hash is of. */
const encodedCall = (chainId: number, { gas, gasPrice, input, to, value }: Message, nonce: Hex): Uint8Array =>
  rlpEncodeTyped(2, [
    rlpInteger(chainId),
    rlpInteger(BigInt(nonce)),
    "0x",
    rlpInteger(gasPrice),
    rlpInteger(gas),
    to ?? "0x",
    rlpInteger(value),
    input,
    [],
    "0x",
    "0x",
    "0x",
  ])
