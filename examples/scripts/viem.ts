/**
 * viem over dotrpc: the client is viem's own, its calls are priced, budgeted, paced, and split where a range is too long.
 * viem alone is refused the first of these ranges, after four tries for 1,020 credits.
 *
 *   pnpm exec node examples/scripts/viem.ts
 *   RPC_URL=https://mainnet.example/v3/KEY pnpm exec node examples/scripts/viem.ts
 */
import { HttpTransport } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { defineNetwork } from "@dotrpc/spec"
import { dotrpcTransport, failureOf } from "@dotrpc/viem"
import { Layer } from "effect"
import { createPublicClient, formatUnits, parseAbiItem } from "viem"

const network = defineNetwork({ id: "evm", plugin: "evm", url: process.env["RPC_URL"] ?? "embedded:evm" })
const transport = dotrpcTransport(
  { network, transport: EmbeddedGateway.layer().pipe(Layer.provide(HttpTransport.layer())) },
  { maxCredits: 5_000 },
)
const client = createPublicClient({ transport })

try {
  const request = { method: "eth_getLogs", params: [{ fromBlock: "0x0", toBlock: "latest" }] }
  const { max, min } = await transport.estimate(request)
  console.log(`reading all logs costs ${min === max ? min : `${min} to ${max ?? "?"}`} credits`)

  const logs = await client.getLogs({ fromBlock: 0n, toBlock: "latest" })
  console.log(`${logs.length} logs in ${transport.credits.calls} calls for ${transport.credits.spent} credits`)

  const transfers = await client.getLogs({
    address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
    event: parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)"),
    fromBlock: 100n,
    toBlock: 199n,
  })
  const moved = transfers.reduce((sum, { args }) => sum + (args.value ?? 0n), 0n)
  console.log(`${transfers.length} transfers moved ${formatUnits(moved, 18)} tokens`)
} catch (error) {
  const failure = failureOf(error)
  if (failure === undefined) throw error
  console.error(`${failure.message}\n${failure.advice}`)
  process.exitCode = 1
} finally {
  await transport.close()
}
