/** The contracts and people of the generated chain, and what one call to them looks like. */
import type { Random } from "../../internal/random.ts"
import type { Hex } from "../ChainJson.ts"
import { bytesFromHex, concatHex, hexFromBytes } from "../internal/hex.ts"
import { type DevelopmentAccount, developmentAccounts } from "./accounts.ts"
import { contractCode } from "./contracts/code.ts"
import { Collectible } from "./contracts/collectible.ts"
import { Erc20 } from "./contracts/erc20.ts"
import { ExchangeProxy } from "./contracts/exchangeProxy.ts"
import { Ledger } from "./contracts/ledger.ts"
import type { RawLog } from "./contracts/rawLog.ts"
import { creationOf } from "./contracts/creation.ts"
import { State } from "./state.ts"
import { contractAddress } from "./transaction.ts"

/** Everything the calls of a chain act on. */
export interface World {
  readonly random: Random
  readonly state: State
  readonly deployer: DevelopmentAccount
  readonly main: Erc20
  readonly second: Erc20
  readonly collectible: Collectible
  /** What the proxy points to at first. */
  readonly implementation: Hex
  readonly exchange: ExchangeProxy
  readonly ledger: Ledger
  /** Addresses that receive tokens: the development accounts and some that never send. */
  readonly holders: ReadonlyArray<Hex>
}

/** A transaction that has been carried out, but is not in a block yet. */
export interface ContractCall {
  readonly from: DevelopmentAccount
  /** Null for a contract creation. */
  readonly to: Hex | null
  readonly input: Hex
  readonly value: bigint
  readonly gasUsed: number
  /** A failed call has no logs. */
  readonly succeeded: boolean
  readonly logs: ReadonlyArray<RawLog>
}

/** Holders besides the development accounts. */
const SILENT_HOLDERS = 40

/** A world before its first transaction. The contracts' addresses follow from the deployer's first six nonces. */
export const createWorld = (random: Random): World => {
  const [deployer] = developmentAccounts
  if (deployer === undefined) throw new RangeError("There are no development accounts.")
  const state = new State()
  const deployed = (nonce: number): Hex => contractAddress(deployer.address, nonce)
  const silent = Array.from({ length: SILENT_HOLDERS }, () => hexFromBytes(random.bytes(20)))
  return {
    random,
    state,
    deployer,
    main: new Erc20(deployed(0), 18, state),
    second: new Erc20(deployed(1), 6, state),
    collectible: new Collectible(deployed(2), state),
    implementation: deployed(3),
    exchange: new ExchangeProxy(deployed(4), state),
    ledger: new Ledger(deployed(5), deployer.address, state),
    holders: [...developmentAccounts.map((account) => account.address), ...silent],
  }
}

/** The transactions that create the contracts, the main token first. The proxy announces its implementation. */
export const deployContracts = (world: World, mayLog: boolean): ReadonlyArray<ContractCall> =>
  [
    contractCode.MainToken,
    contractCode.SecondToken,
    contractCode.Collectible,
    contractCode.Exchange,
    contractCode.ExchangeProxy,
    contractCode.Ledger,
  ].map((code) => {
    const logs = code === contractCode.ExchangeProxy && mayLog ? [world.exchange.upgrade(world.implementation)] : []
    return createContract(world, world.deployer, logs, code.create)
  })

/**
 * The creation of a contract, of a meaningless one when no code is given.
 *
 * The gas is that of a small contract, whatever the code: fees, and with them the whole chain, do not depend on what a
 * compiler makes of a source.
 */
export const createContract = (
  world: World,
  from: DevelopmentAccount,
  logs: ReadonlyArray<RawLog>,
  code?: Hex,
): ContractCall => {
  const meaningless = concatHex("0x60806040", hexFromBytes(world.random.bytes(60 + 4 * world.random.integer(40))))
  const perCodeByte = 200
  const gasUsed = intrinsicGas(meaningless, true) + logGas(logs) + (meaningless.length / 2 - 1) * perCodeByte
  return { from, to: null, input: code ?? creationOf(meaningless), value: 0n, gasUsed, succeeded: true, logs }
}

/** Gas before the first instruction runs: the base price and the price of the call data. */
export const intrinsicGas = (input: Hex, creates = false): number => {
  const data = bytesFromHex(input)
  const dataGas = data.reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 0)
  return 21_000 + (creates ? 32_000 : 0) + dataGas
}

/** The price of emitting logs: each, per topic, and per byte of data. */
export const logGas = (logs: ReadonlyArray<RawLog>): number =>
  logs.reduce((sum, log) => sum + 375 + 375 * log.topics.length + 8 * (log.data.length / 2 - 1), 0)
