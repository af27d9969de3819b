/** Anvil, an Ethereum node, from the binary in the npm package of this platform. Its chain is the same on every run. */
import { ask } from "./ask.ts"
import { startChild } from "./Child.ts"
import { foundryBinary } from "./Foundry.ts"

export interface AnvilNode {
  readonly url: string
  /** Stops answering until the process is ended; connections are still accepted. */
  readonly freeze: () => void
  readonly stop: () => Promise<void>
}

/** Starts a node on a free port of this machine. Every block is 12 seconds after the one before. */
export const startAnvil = async (): Promise<AnvilNode> => {
  const child = startChild(foundryBinary("anvil"), ["--port", "0", "--timestamp", "1700000000"])
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
