/** The contract of the tests: compiled from its source, deployed and written to by viem. */
import {
  type Address,
  createTestClient,
  getAddress,
  type Hash,
  http,
  publicActions,
  WaitForTransactionReceiptTimeoutError,
  walletActions,
} from "viem"
import { anvil } from "viem/chains"
import { compileContract } from "./Solidity.ts"

/** Three of the accounts that both nodes start with, unlocked. */
export const accounts = {
  alice: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  bob: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  carol: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
} as const satisfies Record<string, Address>

/** What {@link deployLedger} writes. None of these numbers but the last fits into a double. */
export const written = {
  balances: {
    alice: 1_000_000_000_000_000_000_001n,
    bob: 18_446_744_073_709_551_615n,
    carol: 2n ** 200n + 1n,
  },
  /** From Alice to Bob. */
  allowance: 2n ** 256n - 1n,
  mark: { name: "first", value: 42n },
} as const

export interface DeployedLedger {
  readonly address: Address
  readonly transactions: {
    readonly deploy: Hash
    /** The first of two in its block. */
    readonly lastDeposit: Hash
    /** It was reverted. */
    readonly refuse: Hash
  }
  /** The first and the last of the blocks that together hold 10,000 logs; the block after them holds one more. */
  readonly ticks: { readonly from: number; readonly to: number }
}

/** Deploys the contract and sends one transaction for everything the tests read. */
export const deployLedger = async (nodeUrl: string, mode: "anvil" | "hardhat"): Promise<DeployedLedger> => {
  const { abi, bytecode } = compileContract("Ledger")
  const client = createTestClient({ chain: anvil, mode, transport: http(nodeUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const mined = async (hash: Hash) => {
    try {
      return await client.waitForTransactionReceipt({ hash, timeout: 15_000 })
    } catch (error) {
      if (!(error instanceof WaitForTransactionReceiptTimeoutError)) throw error
      // On a busy machine anvil has left a transaction in its pool that it mines at once elsewhere.
      const { blockNumber } = await client.getTransaction({ hash })
      if (blockNumber === null) await client.mine({ blocks: 1 })
      return client.waitForTransactionReceipt({ hash })
    }
  }

  const deploy = await client.deployContract({ abi, bytecode, account: accounts.alice })
  const { contractAddress: address } = await mined(deploy)
  if (address === null || address === undefined) throw new Error(`${deploy} created no contract`)
  const send = (account: Address, functionName: string, ...args: ReadonlyArray<unknown>) =>
    client.writeContract({ abi, address, account, functionName, args, gas: 15_000_000n })

  await mined(await send(accounts.alice, "deposit", written.balances.alice))
  await mined(await send(accounts.bob, "deposit", written.balances.bob))
  await mined(await send(accounts.alice, "approve", accounts.bob, written.allowance))

  await client.setAutomine(false)
  const lastDeposit = await send(accounts.carol, "deposit", written.balances.carol)
  const mark = await send(accounts.bob, "mark", written.mark.name, written.mark.value)
  await client.mine({ blocks: 1 })
  await Promise.all([mined(lastDeposit), mined(mark)])
  await client.setAutomine(true)

  const refuse = await send(accounts.bob, "refuse")
  await mined(refuse)

  const first = await mined(await send(accounts.alice, "tick", 4_000n))
  await mined(await send(accounts.alice, "tick", 4_000n))
  const last = await mined(await send(accounts.alice, "tick", 2_000n))
  await mined(await send(accounts.alice, "tick", 1n))
  return {
    address: getAddress(address),
    transactions: { deploy, lastDeposit, refuse },
    ticks: { from: Number(first.blockNumber), to: Number(last.blockNumber) },
  }
}
