/** What the `.rpc` files and their configuration read from the environment. */
import { numberToHex } from "viem"
import type { Environment } from "../src/Dotrpc.ts"
import type { DeployedLedger } from "../src/Ledger.ts"
import { canaryKey, type MeteredGateway } from "../src/MeteredGateway.ts"

/** For runs on the node itself. */
export const nodeEnvironment = (nodeUrl: string, { address, ticks, transactions }: DeployedLedger): Environment => ({
  NODE_URL: nodeUrl,
  LEDGER: address,
  CREATED_BY: transactions.deploy,
  REFUSED: transactions.refuse,
  TICKS_FROM: numberToHex(ticks.from),
  TICKS_TO: numberToHex(ticks.to),
})

/** For runs through the gateway, with the key it knows. */
export const gatewayEnvironment = (nodeUrl: string, ledger: DeployedLedger, gateway: MeteredGateway): Environment => ({
  ...nodeEnvironment(nodeUrl, ledger),
  GATEWAY_PORT: gateway.port,
  API_KEY: canaryKey,
})
