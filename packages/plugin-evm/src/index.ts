/** EVM methods for dotrpc: `eth_getStorageAt`, `eth_getBlockRange`, `eth_getLogs` and `eth_getTransactionReceipt`. */
export * as Evm from "./Evm.ts"
