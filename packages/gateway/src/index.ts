/** The metered service as a library: in memory, as a layer of a client, and over real nodes. `@dotrpc/gateway/server` serves it. */
export * as EmbeddedGateway from "./EmbeddedGateway.ts"
export * as Gateway from "./Gateway.ts"
export {
  type KeyBalance,
  type Admission,
  type Balances,
  BalancesUnavailable,
  type Charge,
  type CreditReport,
  type Limits,
  memoryBalances,
  type Now,
} from "./metering/Balances.ts"
export { isNetworkId, type NetworkId, networkIds } from "./networks.ts"
export type { ServiceOptions } from "./services.ts"
export type { QueryWork } from "./methods/evm/limits.ts"
export type { Fault } from "./methods/Fault.ts"
export type { AccountStore, Commitment, StoredAccount, TokenScope } from "./accounts/AccountStore.ts"
export type {
  Ledger,
  LedgerBlock,
  LedgerInstruction,
  LedgerKey,
  LedgerTransaction,
  TokenBalance,
} from "./accounts/Ledger.ts"
export {
  generateAccounts,
  type GenerateAccountsOptions,
  sampleDelegates,
  sampleMints,
} from "./accounts/GeneratedAccounts.ts"
export { type AccountRecord, memoryAccounts } from "./accounts/MemoryAccounts.ts"
export { ChainFileError, chainFromNdjson, entriesFromNdjson, entriesToNdjson } from "./chain/ChainFile.ts"
export type {
  Block,
  BlockBody,
  ChainEntry,
  Hex,
  Log,
  PendingBlock,
  PendingTransaction,
  Receipt,
  StorageWrites,
  Transaction,
} from "./chain/ChainJson.ts"
export type { ChainStore } from "./chain/ChainStore.ts"
export {
  generateChain,
  type GenerateChainOptions,
  type GeneratedEntries,
  generateEntries,
  sampleContracts,
} from "./chain/GeneratedChain.ts"
export type { LogFilter, TopicFilter } from "./chain/LogFilter.ts"
export { memoryChain, type MemoryChainOptions } from "./chain/MemoryChain.ts"
export { recordSampleChain } from "./chain/RecordedChain.ts"
export type { EventFilter, EventPosition, EventStore, PositionedEvent, StoredEvent } from "./events/EventStore.ts"
export { generateEvents, type GenerateEventsOptions, sampleL2Contracts, selectorOf } from "./events/GeneratedEvents.ts"
export { type EventBlock, memoryEvents } from "./events/MemoryEvents.ts"
