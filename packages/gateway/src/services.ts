/** The methods of the four networks, answered from sample data, or from a chain that was given. */
import { Options, wireName } from "@dotrpc/spec"
import { readingAccountHistory } from "./chain/AccountHistory.ts"
import type { AccountStore } from "./accounts/AccountStore.ts"
import { generateAccounts } from "./accounts/GeneratedAccounts.ts"
import { withUpcomingSlots } from "./accounts/UpcomingSlots.ts"
import type { ChainStore } from "./chain/ChainStore.ts"
import { type GenerateChainOptions, generatingChain } from "./chain/GeneratedChain.ts"
import { recordedChain } from "./chain/RecordedChain.ts"
import { withUpcoming } from "./chain/UpcomingBlocks.ts"
import type { EventStore } from "./events/EventStore.ts"
import { generateEvents } from "./events/GeneratedEvents.ts"
import { checkCount } from "./internal/count.ts"
import { made, type MadeInSteps, madeInSteps } from "./internal/madeInSteps.ts"
import { once } from "./internal/once.ts"
import type { MethodTable } from "./metering/pricing.ts"
import { accountMethods } from "./methods/accounts/accountMethods.ts"
import { accountState } from "./methods/evm/accountState.ts"
import { blocks } from "./methods/evm/blocks.ts"
import type { EvmService } from "./methods/evm/EvmService.ts"
import { fees } from "./methods/evm/fees.ts"
import { getBlockRange } from "./methods/evm/getBlockRange.ts"
import { getLogs } from "./methods/evm/getLogs.ts"
import { getStorageAt } from "./methods/evm/getStorageAt.ts"
import { getTransactionReceipt } from "./methods/evm/getTransactionReceipt.ts"
import { evmLimits, type QueryWork } from "./methods/evm/limits.ts"
import { node } from "./methods/evm/node.ts"
import { pool } from "./methods/evm/pool.ts"
import { subscriptions } from "./methods/evm/subscriptions.ts"
import { calls } from "./methods/evm/run/calls.ts"
import { flatTraces } from "./methods/evm/run/flatTraces.ts"
import { loadingEvm } from "./methods/evm/run/loadingEvm.ts"
import { simulateV1 } from "./methods/evm/run/simulateV1.ts"
import { traces } from "./methods/evm/run/traces.ts"
import { chainReads } from "./methods/l2/chainReads.ts"
import { getEvents } from "./methods/l2/getEvents.ts"
import type { ServedMethod } from "./methods/ServedMethod.ts"
import type { Added, NewBlock } from "./methods/Subscriber.ts"
import { type NetworkId, networks } from "./networks.ts"

/** What answers the networks. */
export interface ServiceOptions {
  /** The size and the seed of the sample data. */
  readonly sample?: GenerateChainOptions | undefined
  /**
   * Reads the sample chain of the network `evm` in its usual size and seed, as `recordSampleChain` of this version wrote it. It is asked once,
   * by the first call that needs it; where it gives nothing, the chain is generated.
   */
  readonly recordedSample?: (() => string | undefined) | undefined
  /** A chain that replaces the generated one of the network `evm`. */
  readonly chain?: ChainStore | undefined
  /** A chain that replaces the generated one of the network `evm-l2`. */
  readonly recentChain?: ChainStore | undefined
  /** Accounts that replace the generated ones. */
  readonly accounts?: AccountStore | undefined
  /** Events that replace the generated ones. */
  readonly events?: EventStore | undefined
  /**
   * Loads what runs contracts, `dist/evm/machinery.js` of this package, where `import()` cannot: it is asked once, by the
   * first call that needs it.
   */
  readonly loadEvm?: (() => Promise<object>) | undefined
  /**
   * How many of the latest blocks of each EVM chain and of `accounts` are still to come: `Gateway.grow` adds the next one. None by
   * default, so that the networks never change.
   */
  readonly upcoming?: number | undefined
  /** The simulated duration of a log query, in milliseconds; more than 10,000 fails (service §8). At once by default. */
  readonly queryMillis?: ((work: QueryWork) => number) | undefined
  /** Whether a log query with too many results gets a range that fits, as some providers do. No by default. */
  readonly hints?: boolean | undefined
}

/**
 * The methods of every network.
 *
 * @throws RangeError when the sample's size is not one of whole numbers: at once, though the data is made later.
 */
export const makeServices = (options: ServiceOptions): Services => {
  const { accounts, chain, events, recentChain, recordedSample, sample = {}, upcoming = 0 } = options
  Options.wholeOrZero("upcoming", upcoming)
  const { seed = 1 } = sample
  const isStandard = Object.values(sample).every((value) => value === undefined)
  checkSample(sample)
  const chainOf = (given: ChainStore | undefined, standard: () => MadeInSteps<ChainStore>, ofSeed: number) => {
    if (given !== undefined) return made(given)
    return isStandard ? standard() : madeInSteps(() => generatingChain({ ...sample, seed: ofSeed }))
  }
  const data = {
    evm: chainOf(chain, () => standardChain(recordedSample), seed),
    accounts: accounts === undefined ? madeInOneStep(() => generateAccounts({ seed })) : made(accounts),
    l2: events === undefined ? madeInOneStep(() => generateEvents({ seed })) : made(events),
    "evm-l2": chainOf(recentChain, standardRecentChain, seed + 1),
  }
  const growing = {
    evm: growingChain(data.evm, upcoming),
    "evm-l2": growingChain(data["evm-l2"], upcoming),
    accounts: growingAccounts(data.accounts, upcoming),
  }
  return {
    methods: {
      evm: evmMethods("evm", options, growing.evm.store, data.evm.get),
      "evm-l2": evmMethods("evm-l2", options, growing["evm-l2"].store, data["evm-l2"].get),
      accounts: table(accountMethods(networks.accounts, growing.accounts.store)),
      l2: eventMethods(data.l2.get),
    },
    sampleOf: (network) => data[network],
    headOf: (network) => (network === "evm" || network === "evm-l2" ? growing[network].store().head : undefined),
    grow: (network) => growing[network].grow(),
  }
}

export interface Services {
  readonly methods: Readonly<Record<NetworkId, MethodTable>>
  /** The data of a network, which is made when it is first asked for. */
  readonly sampleOf: (network: NetworkId) => MadeInSteps<object>
  /** The number of the latest block; `undefined` where nobody here knows it. */
  readonly headOf: (network: NetworkId) => number | undefined
  /** Adds the next block to a network that has any still to come; to one that nobody has asked yet, none. */
  readonly grow: (network: (typeof growingIds)[number]) => Added | undefined
}

/** The networks that may have blocks to come. */
export const growingIds = ["evm", "evm-l2", "accounts"] as const

const growingChain = (source: MadeInSteps<ChainStore>, upcoming: number) =>
  growingOver(source, upcoming, (whole) => {
    const { chain, grow } = withUpcoming(whole, upcoming)
    return {
      store: chain,
      grow: (): NewBlock | undefined => {
        const block = grow()
        return block === undefined ? undefined : { chain, block }
      },
    }
  })

const growingAccounts = (source: MadeInSteps<AccountStore>, upcoming: number) =>
  growingOver(source, upcoming, (whole) => {
    const { accounts, grow } = withUpcomingSlots(whole, upcoming)
    return { store: accounts, grow }
  })

/** Data that grows, if any of it is to come. */
const growingOver = <Store extends object>(
  source: MadeInSteps<Store>,
  upcoming: number,
  holdBack: (whole: Store) => { readonly store: Store; readonly grow: () => Added | undefined },
) => {
  const growing = once(() => holdBack(source.get()))
  return {
    store: () => (upcoming === 0 ? source.get() : growing().store),
    grow: () => (upcoming === 0 || !source.isMade() ? undefined : growing().grow()),
  }
}

const evmMethods = (
  id: "evm" | "evm-l2",
  options: ServiceOptions,
  chain: () => ChainStore,
  whole: () => ChainStore,
): MethodTable => {
  const { hints = false, queryMillis = () => 0 } = options
  const network = networks[id]
  const service: EvmService = {
    network,
    chain,
    loadEvm: loadingEvm(options.loadEvm),
    history: madeInSteps(() => readingAccountHistory(whole())),
    limits: evmLimits,
    queryMillis,
    hints,
  }
  return table([
    getLogs(service),
    getBlockRange(service),
    getStorageAt(service),
    getTransactionReceipt(service),
    ...node(service),
    ...accountState(service),
    ...calls(service),
    ...traces(service),
    ...flatTraces(service),
    simulateV1(service),
    ...blocks(service),
    ...fees(service),
    ...pool(service),
    ...subscriptions(service),
  ])
}

/** Methods are called by the neutral word and by the word of the best known network (service §1). */
const eventMethods = (events: () => EventStore): MethodTable =>
  new Map(
    [getEvents(networks.l2, events), ...chainReads(networks.l2, events)].flatMap((served) =>
      ["l2", "starknet"].map(
        (methodWord) => [wireName({ name: served.name, word: "l2" }, { methodWord }), served] as const,
      ),
    ),
  )

const table = (methods: ReadonlyArray<ServedMethod>): MethodTable =>
  new Map(methods.map((method) => [method.name, method]))

const sampleNames: Options.Members<GenerateChainOptions> = { seed: true, blocks: true, logs: true }

const checkSample = (sample: GenerateChainOptions): void => {
  const { blocks = 1, logs = 0, seed = 0 } = Options.members(sample, sampleNames, "sample")
  checkCount("blocks", blocks, 1)
  checkCount("logs", logs, 0)
  if (!Number.isSafeInteger(seed)) throw new RangeError(`The seed must be a safe integer, got ${seed}.`)
}

/** The sample chains that nobody wants otherwise. They are read only and take a second to make, so a process has one of each. */
const standardChain = once((read: (() => string | undefined) | undefined) =>
  madeInSteps(function* () {
    const text = read?.()
    return text === undefined ? yield* generatingChain({ seed: 1 }) : recordedChain(text)
  }),
)
const standardRecentChain = once(() => madeInSteps(() => generatingChain({ seed: 2 })))

/** What takes a moment only. */
const madeInOneStep = <A extends object>(make: () => A): MadeInSteps<A> =>
  madeInSteps(function* () {
    return make()
  })
