/** Which methods are taken for writes, by their names alone. */
import { expect, it } from "vitest"
import { mayChange } from "../src/index.ts"

const check = (expected: boolean, names: string) => {
  for (const name of names.split(" "))
    it(`${name} ${expected ? "may change something" : "only reads"}`, () => expect(mayChange(name)).toBe(expected))
}

check(true, "near_sendTx send_tx broadcast_tx_commit broadcast_tx_async author_submitExtrinsic sendrawtransaction")
check(true, "eth_sendRawTransaction personal_unlockAccount personal_newAccount anvil_setBalance evm_mine admin_addPeer")
check(true, "hardhat_impersonateAccount sendAndGet stop request_funds transfer wallet_create walletpassphrase setban")
check(true, "invalidateblock eth_sign eth_signTransaction updateStatus miner_start reboot debug_setHead frobnicate")
check(false, "eth_getLogs near_getTransaction getAddedAddresses getblockcount eth_blockNumber net_peerCount tx_search")
check(false, "web3_clientVersion web3_sha3 eth_call eth_estimateGas eth_syncing eth_maxPriorityFeePerGas eth_gasPrice")
check(false, "block status tx validators EXPERIMENTAL_changes EXPERIMENTAL_protocol_config abci_query network_info")
check(false, "rpc.discover rpc_methods chain_subscribeNewHeads txpool_content light_client_proof trace_block isValid")
check(
  false,
  "debug_storageRangeAt eth_blobBaseFee eth_hashrate eth_supportedEntryPoints zkevm_batchNumberByBlockNumber",
)
check(true, "evm_mine evm_increaseTime evm_snapshot evm_revert hardhat_reset anvil_mine anvil_dropTransaction")
