/** `dotrpc meter --serve` in front of a real node, as a process of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { refuseKey, startDotrpc } from "./Dotrpc.ts"

/** The balance of a key, as the credits route reports it. */
export interface Balance {
  readonly spent: number
  readonly remaining: number
  readonly byMethod: Readonly<Record<string, number>>
}

export interface MeteredGateway {
  readonly port: string
  /** The address of the network `evm` with the key in it. */
  readonly url: string
  /** The address of one of the sample networks with the key in it. */
  readonly sampleUrl: (network: "accounts" | "l2") => string
  readonly socketUrl: string
  readonly balance: () => Promise<Balance>
  /** Stops it, and fails when anything it printed or counted holds the key. */
  readonly stop: () => Promise<void>
}

/** Every character that an address must encode may stand in a key. */
export const canaryKey = "canary/5f1e+7 9=c0"

/** Serves a node on a free port under {@link canaryKey}, and two networks of sample data. Each call that comes is one that is sent. */
export const startGateway = async (nodeUrl: string): Promise<MeteredGateway> => {
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-peers-"))
  const networks = {
    evm: { plugin: "evm", url: nodeUrl, wsUrl: nodeUrl.replace("http", "ws") },
    accounts: { plugin: "token-accounts", url: "embedded:accounts" },
    l2: { plugin: "l2-events", url: "embedded:l2", methodWord: "starknet" },
  }
  writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ networks, ledger: "memory" }))
  const child = startDotrpc(["meter", "--serve", "--plain", "--port", "0", "--key", canaryKey], {}, folder)
  const [, port = ""] = await child.said(/"port":(\d+)/)
  const place = `127.0.0.1:${port}/evm`
  const key = encodeURIComponent(canaryKey)
  return {
    port,
    url: `http://${place}/v3/${key}`,
    sampleUrl: (network) => `http://127.0.0.1:${port}/${network}/v3/${key}`,
    socketUrl: `ws://${place}/ws/v3/${key}`,
    balance: async () => JSON.parse(await read(`http://${place}/v3/${key}/credits`)) as Balance,
    stop: async () => {
      const metrics = await read(`http://127.0.0.1:${port}/metrics`)
      await child.stop()
      rmSync(folder, { recursive: true })
      refuseKey(canaryKey, { stdout: child.stdout(), stderr: child.stderr(), metrics })
    },
  }
}

/** Over a connection of its own: one that is kept open may be closed by the server at the moment it is used again. */
const read = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, (reply) => text(reply).then(resolve, reject)).on("error", reject)
  })
