/** EVM methods for dotrpc: accounts, blocks, transactions, logs, calls and fees. */
export * as Evm from "./Evm.ts"
