/** Anvil, an Ethereum node, from the binary in the npm package of this platform. Its chain is the same on every run. */
import { createRequire } from "node:module"
import { ask } from "./ask.ts"
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

/** The launcher that the package puts on the PATH would stand between this process and the node's. */
const anvilBinary = (): string => {
  const architecture = process.arch === "x64" ? "amd64" : process.arch
  const file = process.platform === "win32" ? "anvil.exe" : "anvil"
  const binary = `@foundry-rs/anvil-${process.platform}-${architecture}/bin/${file}`
  const launcher = require.resolve("@foundry-rs/anvil/package.json")
  return createRequire(launcher).resolve(binary)
}
