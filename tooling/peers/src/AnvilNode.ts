/** Anvil, an Ethereum node, from the binary in the npm package of this platform. Its chain is the same on every run. */
import { createRequire } from "node:module"
import { Json } from "@dotrpc/spec"
import { startChild } from "./Child.ts"

const require = createRequire(import.meta.url)

export interface AnvilNode {
  readonly url: string
  /** Stops answering until the process is ended; connections are still accepted. */
  readonly freeze: () => void
  readonly stop: () => Promise<void>
}

/** Starts a node on a free port of this machine. Every block is 12 seconds after the one before. */
export const startAnvil = async (): Promise<AnvilNode> => {
  const child = startChild(anvilBinary(), ["--port", "0", "--timestamp", "1700000000"])
  const [, port] = await child.said(/Listening on 127\.0\.0\.1:(\d+)/)
  const url = `http://127.0.0.1:${port}`
  await ask(url, "anvil_setBlockTimestampInterval", [12])
  return {
    url,
    freeze: () => child.send("SIGSTOP"),
    stop: async () => {
      // A frozen process takes no other signal.
      child.send("SIGCONT")
      await child.stop()
    },
  }
}

/** The result of one JSON-RPC call as the server at this address wrote it, every digit kept. */
export const ask = async (url: string, method: string, params: Json.Json): Promise<Json.Json> => {
  const body = Json.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
  const text = await reply.text()
  const answer = Json.parse(text)
  if (!Json.isObject(answer) || answer["result"] === undefined)
    throw new Error(`${method} ${Json.stringify(params)} has no result: HTTP ${reply.status} ${text.slice(0, 500)}`)
  return answer["result"]
}

/** The launcher that the package puts on the PATH would stand between this process and the node's. */
const anvilBinary = (): string => {
  const architecture = process.arch === "x64" ? "amd64" : process.arch
  const file = process.platform === "win32" ? "anvil.exe" : "anvil"
  const binary = `@foundry-rs/anvil-${process.platform}-${architecture}/bin/${file}`
  const launcher = require.resolve("@foundry-rs/anvil/package.json")
  return createRequire(launcher).resolve(binary)
}
