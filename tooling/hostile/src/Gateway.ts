/** The built gateway as a process of its own, and what it says of the balance of a key. */
import { type Bounds, type Outcome, type Place, type Running, startDotrpc } from "./Command.ts"

export interface Gateway {
  readonly port: number
  readonly origin: string
  readonly key: string
  /** Credits that the key has spent. */
  readonly spent: () => Promise<number>
  /** Whether it still answers. */
  readonly answers: () => Promise<boolean>
  readonly running: Running
  /** Asks it to end, and resolves with how it did. */
  readonly stop: () => Promise<Outcome>
}

/** It is ended by its tests, whatever they take; memory is what it may have under attack. */
const bounds: Bounds = { seconds: 120, megabytes: 1_000, patience: 3_600 }

/** Within so many milliseconds it answers that it is well; ten times what it takes after the worst attack. */
const longestAnswer = 60_000

export const startGateway = async (args: ReadonlyArray<string>, place: Place): Promise<Gateway> => {
  const running = startDotrpc(["gateway", "--port", "0", ...args], place, bounds)
  let ended: Outcome | undefined
  void running.ended.then((outcome) => (ended = outcome))
  while (!running.stdout().includes("\n")) {
    if (ended !== undefined) throw new Error(`the gateway did not start: ${ended.stderr}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const [line = ""] = running.stdout().split("\n")
  const { key, port } = JSON.parse(line) as { readonly key: string; readonly port: number }
  const origin = `http://127.0.0.1:${port}`
  return {
    port,
    origin,
    key,
    running,
    spent: async () => {
      const response = await fetch(`${origin}/evm/v3/${key}/credits`)
      const { spent } = (await response.json()) as { readonly spent: number }
      return spent
    },
    answers: async () => {
      try {
        const { status } = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(longestAnswer) })
        return status === 200
      } catch {
        return false
      }
    },
    stop: () => {
      running.send("SIGTERM")
      return running.ended
    },
  }
}
