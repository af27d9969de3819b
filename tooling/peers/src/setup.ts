/** What every test file shares: one node with the contract on it, started before the first and stopped after the last. */
import type { TestProject } from "vitest/node"
import { startAnvil } from "./AnvilNode.ts"
import { deployLedger, type DeployedLedger } from "./Ledger.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly nodeUrl: string
    readonly ledger: DeployedLedger
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const node = await startAnvil()
  try {
    project.provide("ledger", await deployLedger(node.url))
    project.provide("nodeUrl", node.url)
  } catch (error) {
    await node.stop()
    throw error
  }
  return node.stop
}
