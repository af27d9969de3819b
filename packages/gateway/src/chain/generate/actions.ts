/**
 * What happens on the generated chain: each action is one transaction with its logs and its writes.
 *
 * Amounts always stay within what a sender has or may spend. Where there is nothing to spend yet, the action first gives
 * the sender some, or the right to it, so every action can be taken at any time.
 */
import type { Hex } from "../ChainJson.ts"
import { addressWord, concatHex, keccakText, word } from "../internal/hex.ts"
import { type DevelopmentAccount, developmentAccounts } from "./accounts.ts"
import { type Erc20, UNLIMITED } from "./contracts/erc20.ts"
import type { RawLog } from "./contracts/rawLog.ts"
import { type ContractCall, createContract, intrinsicGas, logGas, type World } from "./world.ts"

/** Takes an action that emits at least one log and at most `budget`, which is at least 1. */
export const act = (world: World, blockNumber: number, budget: number): ContractCall => {
  const possible = actions.filter((action) => action.logs <= budget)
  const total = possible.reduce((sum, action) => sum + action.weight, 0)
  let rest = world.random.integer(total)
  for (const action of possible) {
    if (rest < action.weight) return action.take(world, budget, blockNumber)
    rest -= action.weight
  }
  throw new RangeError(`No action emits at most ${budget} logs.`)
}

/** A plain payment, without logs. */
export const pay = (world: World): ContractCall => ({
  from: anyAccount(world),
  to: anyHolder(world),
  input: "0x",
  value: BigInt(1 + world.random.integer(5_000)) * 10n ** 15n,
  gasUsed: 21_000,
  succeeded: true,
  logs: [],
})

/** A transfer of more than the sender has: it fails, keeps the fee and changes nothing. */
export const overdraw = (world: World): ContractCall => {
  const from = anyAccount(world)
  const amount = world.main.balanceOf(from.address) + BigInt(1 + world.random.integer(1_000_000))
  const input = callData(TRANSFER, addressWord(anyHolder(world)), word(amount))
  const gasUsed = intrinsicGas(input) + 2_600 + world.random.integer(800)
  return { from, to: world.main.address, input, value: 0n, gasUsed, succeeded: false, logs: [] }
}

/** A contract nobody calls, without logs. */
export const deploy = (world: World): ContractCall => createContract(world, anyAccount(world), [])

/** Closes an epoch of the ledger and burns that much gas doing so, but no less than it needs. Without logs. */
export const settle = (world: World, gas: number): ContractCall => {
  const from = anyAccount(world)
  const amount = BigInt(1 + world.random.integer(1_000_000_000))
  const digest = world.random.word()
  world.ledger.settle(from.address, amount, digest)
  const input = callData(SETTLE, word(amount), digest)
  const gasUsed = Math.max(gas, intrinsicGas(input) + 8 * WRITE_GAS)
  return { from, to: world.ledger.address, input, value: 0n, gasUsed, succeeded: true, logs: [] }
}

interface Action {
  /** How often it is taken, relative to the others. */
  readonly weight: number
  /** The most logs it emits, or the fewest when it makes use of the whole budget. */
  readonly logs: number
  readonly take: (world: World, budget: number, blockNumber: number) => ContractCall
}

const transfer = (world: World): ContractCall => {
  const token = anyToken(world)
  const from = anyAccount(world)
  const to = anyHolder(world)
  if (token.balanceOf(from.address) === 0n) return mint(world, token, from.address)
  const amount = someOf(world, token.balanceOf(from.address))
  const input = callData(TRANSFER, addressWord(to), word(amount))
  return call(world, from, token.address, input, () => [token.transfer(from.address, to, amount)])
}

const mint = (world: World, token: Erc20, to: Hex): ContractCall => {
  const amount = newAmount(world, token)
  const input = callData(MINT, addressWord(to), word(amount))
  return call(world, world.deployer, token.address, input, () => [token.mint(to, amount)])
}

const mintToMany = (world: World, budget: number): ContractCall => {
  const token = anyToken(world)
  const count = fewerThan(world, budget, 16)
  const amount = newAmount(world, token)
  return callForMany(world, world.deployer, token, MINT_MANY, { count, amount }, (to) => token.mint(to, amount))
}

const transferToMany = (world: World, budget: number): ContractCall => {
  const token = anyToken(world)
  const from = anyAccount(world)
  const count = fewerThan(world, budget, 24)
  const amount = someOf(world, token.balanceOf(from.address)) / BigInt(count)
  if (amount === 0n) return mint(world, token, from.address)
  return callForMany(world, from, token, TRANSFER_MANY, { count, amount }, (to) =>
    token.transfer(from.address, to, amount),
  )
}

const approve = (world: World): ContractCall => {
  const owner = anyAccount(world)
  return approveSpender(world, anyToken(world), owner, anyAccount(world).address, world.random.chance(15))
}

const approveSpender = (
  world: World,
  token: Erc20,
  owner: DevelopmentAccount,
  spender: Hex,
  unlimited: boolean,
): ContractCall => {
  const amount = unlimited ? UNLIMITED : newAmount(world, token)
  const input = callData(APPROVE, addressWord(spender), word(amount))
  return call(world, owner, token.address, input, () => [token.approve(owner.address, spender, amount)])
}

const transferFrom = (world: World): ContractCall => {
  const token = anyToken(world)
  const owner = anyAccount(world)
  const spender = anyAccount(world)
  const to = anyHolder(world)
  const balance = token.balanceOf(owner.address)
  const allowance = token.allowance(owner.address, spender.address)
  if (allowance === 0n) return approveSpender(world, token, owner, spender.address, false)
  if (balance === 0n) return mint(world, token, owner.address)
  const amount = someOf(world, balance < allowance ? balance : allowance)
  const input = callData(TRANSFER_FROM, addressWord(owner.address), addressWord(to), word(amount))
  return call(world, spender, token.address, input, () =>
    token.transferFrom(spender.address, owner.address, to, amount),
  )
}

const mintCollectibles = (world: World, budget: number): ContractCall => {
  const { collectible } = world
  const count = fewerThan(world, budget, 8)
  const to = anyHolder(world)
  const input = callData(MINT, addressWord(to), word(count))
  return call(world, world.deployer, collectible.address, input, () => times(count, () => collectible.mint(to)))
}

const transferCollectible = (world: World): ContractCall => {
  const { collectible } = world
  const tokenId = 1 + world.random.integer(Math.max(1, collectible.supply))
  const owner = developmentAccounts.find((account) => account.address === collectible.ownerOf(tokenId))
  if (owner === undefined) return mintCollectibles(world, 1)
  const to = anyHolder(world)
  const input = callData(TRANSFER_FROM, addressWord(owner.address), addressWord(to), word(tokenId))
  return call(world, owner, collectible.address, input, () => [collectible.transfer(to, tokenId)])
}

/** Pays the exchange in the main token and receives the second one. */
const swap = (world: World): ContractCall => {
  const { main, second, exchange } = world
  const trader = anyAccount(world)
  if (main.allowance(trader.address, exchange.address) !== UNLIMITED) {
    return approveSpender(world, main, trader, exchange.address, true)
  }
  const paid = someOf(world, main.balanceOf(trader.address))
  const received = someOf(world, second.balanceOf(exchange.address))
  if (paid === 0n) return mint(world, main, trader.address)
  if (received === 0n) return mint(world, second, exchange.address)
  const input = callData(SWAP, word(paid), word(received))
  return call(world, trader, exchange.address, input, () => [
    ...main.transferFrom(exchange.address, trader.address, exchange.address, paid),
    second.transfer(exchange.address, trader.address, received),
    exchange.swapped(trader.address, paid, received),
    exchange.note(concatHex(word(paid), addressWord(trader.address))),
  ])
}

const heartbeat = (world: World, _budget: number, blockNumber: number): ContractCall =>
  call(world, anyAccount(world), world.exchange.address, HEARTBEAT, () => [world.exchange.heartbeat(blockNumber)])

const note = (world: World): ContractCall => {
  const content = world.random.word()
  return call(world, anyAccount(world), world.exchange.address, callData(NOTE, content), () => [
    world.exchange.note(content),
  ])
}

const upgrade = (world: World): ContractCall => {
  const implementation: Hex = `0x${world.random.word().slice(-40)}`
  const input = callData(UPGRADE, addressWord(implementation))
  return call(world, world.deployer, world.exchange.address, input, () => [world.exchange.upgrade(implementation)])
}

const record = (world: World): ContractCall => {
  const account = anyAccount(world)
  const received = BigInt(world.random.integer(1_000_000_000))
  const sent = BigInt(world.random.integer(1_000_000_000))
  const input = callData(RECORD, word(received), word(sent))
  return call(world, account, world.ledger.address, input, () => [world.ledger.record(account.address, received, sent)])
}

const actions: ReadonlyArray<Action> = [
  { weight: 12, logs: 1, take: transfer },
  { weight: 12, logs: 2, take: mintToMany },
  { weight: 36, logs: 2, take: transferToMany },
  { weight: 5, logs: 1, take: approve },
  { weight: 6, logs: 2, take: transferFrom },
  { weight: 8, logs: 1, take: mintCollectibles },
  { weight: 6, logs: 1, take: transferCollectible },
  { weight: 10, logs: 4, take: swap },
  { weight: 3, logs: 1, take: heartbeat },
  { weight: 2, logs: 1, take: note },
  { weight: 1, logs: 1, take: upgrade },
  { weight: 4, logs: 1, take: record },
]

const selector = (signature: string): Hex => `0x${keccakText(signature).slice(2, 10)}`

const TRANSFER = selector("transfer(address,uint256)")
const TRANSFER_FROM = selector("transferFrom(address,address,uint256)")
const APPROVE = selector("approve(address,uint256)")
const MINT = selector("mint(address,uint256)")
const MINT_MANY = selector("distribute(address[],uint256)")
const TRANSFER_MANY = selector("payRound(address[],uint256)")
const SWAP = selector("swap(uint256,uint256)")
const HEARTBEAT = selector("heartbeat()")
const NOTE = selector("note(bytes32)")
const UPGRADE = selector("upgradeTo(address)")
const RECORD = selector("record(uint256,uint256)")
const SETTLE = selector("settle(uint256,bytes32)")

/** Average gas of writing a slot, between the price of a new one and of one in use. */
const WRITE_GAS = 9_000

const callData = (method: Hex, ...words: ReadonlyArray<Hex>): Hex => concatHex(method, ...words)

/** Carries out a call and prices it by its data, its writes and its logs. */
const call = (
  world: World,
  from: DevelopmentAccount,
  to: Hex,
  input: Hex,
  run: () => ReadonlyArray<RawLog>,
): ContractCall => {
  const writesBefore = world.state.writes
  const logs = run()
  const writes = world.state.writes - writesBefore
  const gasUsed = intrinsicGas(input) + 2_600 + writes * WRITE_GAS + logGas(logs) + world.random.integer(900)
  return { from, to, input, value: 0n, gasUsed, succeeded: true, logs }
}

/** A call with a list of holders: each of them gets the amount. Its gas is that of the same call without the list. */
const callForMany = (
  world: World,
  from: DevelopmentAccount,
  token: Erc20,
  method: Hex,
  { amount, count }: { readonly count: number; readonly amount: bigint },
  run: (to: Hex) => RawLog,
): ContractCall => {
  const to: Array<Hex> = []
  const carried = call(world, from, token.address, callData(method, word(count), word(amount)), () =>
    times(count, () => {
      const holder = anyHolder(world)
      to.push(holder)
      return run(holder)
    }),
  )
  return { ...carried, input: callData(method, word(64), word(amount), word(count), ...to.map(addressWord)) }
}

const times = <A>(count: number, make: () => A): ReadonlyArray<A> => Array.from({ length: count }, make)

const anyAccount = (world: World): DevelopmentAccount => world.random.pick(developmentAccounts)

const anyHolder = (world: World): Hex => world.random.pick(world.holders)

/** The main token twice as often as the second one. */
const anyToken = (world: World): Erc20 => (world.random.chance(67) ? world.main : world.second)

/** Between 2 and `most`, within the budget, which is at least 1. */
const fewerThan = (world: World, budget: number, most: number): number =>
  Math.min(budget, 2 + world.random.integer(most - 1))

/** A part of an amount, at most a fifth; 0 only when the amount is. */
const someOf = (world: World, amount: bigint): bigint =>
  amount === 0n ? 0n : 1n + (amount * BigInt(world.random.integer(2_000))) / 10_000n

/** A new amount of a token: up to ten thousand, with two decimals. */
const newAmount = (world: World, token: Erc20): bigint =>
  BigInt(1 + world.random.integer(1_000_000)) * 10n ** BigInt(token.decimals - 2)
