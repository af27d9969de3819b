/** What every test file shares: two nodes with the contract on each, started before the first and stopped after the last. */
import type { TestProject } from "vitest/node"
import { startAnvil } from "./AnvilNode.ts"
import { startHardhat } from "./HardhatNode.ts"
import { deployLedger, type DeployedLedger } from "./Ledger.ts"

/** A node, and what was written to it. */
export interface PreparedNode {
  readonly name: "anvil" | "hardhat"
  readonly url: string
  readonly ledger: DeployedLedger
}

declare module "vitest" {
  interface ProvidedContext {
    /** Anvil's. */
    readonly nodeUrl: string
    /** On anvil. */
    readonly ledger: DeployedLedger
    readonly nodes: ReadonlyArray<PreparedNode>
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const stops: Array<() => Promise<void>> = []
  const stop = async () => {
    for (const each of stops.splice(0)) await each()
  }
  try {
    const anvil = await startAnvil()
    stops.push(anvil.stop)
    const hardhat = await startHardhat()
    stops.push(hardhat.stop)
    const ledger = await deployLedger(anvil.url, "anvil")
    project.provide("nodeUrl", anvil.url)
    project.provide("ledger", ledger)
    project.provide("nodes", [
      { name: "anvil", url: anvil.url, ledger },
      { name: "hardhat", url: hardhat.url, ledger: await deployLedger(hardhat.url, "hardhat") },
    ])
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}
