/** A process that spends, as the round sees it. */
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import type { Place } from "./Place.ts"

/** What a process is to do. */
export interface Work {
  readonly name: string
  readonly server: string
  readonly place: Place
  readonly daily: number
  /** What a call costs at most. */
  readonly price: number
  /** Every fifth call costs a part of that. */
  readonly inParts: boolean
  /** Calls in flight. */
  readonly atOnce: number
}

/** What it gets while it works. */
export interface Order {
  readonly wrongDays?: number | undefined
  readonly stop?: boolean | undefined
}

export interface Spender {
  readonly name: string
  readonly order: (order: Order) => void
  readonly kill: () => void
  /** Stops it, until it resumes. */
  readonly pause: () => void
  readonly resume: () => void
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
}

/** The processes of one suite. */
export interface Spenders {
  readonly start: (work: Work) => Spender
  /** Ends what a round that failed has left. */
  readonly killAll: () => void
}

export const makeSpenders = (): Spenders => {
  const running = new Set<ChildProcess>()
  return {
    start: (work) => startSpender(work, running),
    killAll: () => {
      for (const child of running) child.kill("SIGKILL")
    },
  }
}

const startSpender = (work: Work, running: Set<ChildProcess>): Spender => {
  const child = fork(join(import.meta.dirname, "worker.ts"), [JSON.stringify(work)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })
  running.add(child)
  // One that was killed takes no more messages.
  child.on("error", () => undefined)
  return {
    name: work.name,
    order: (order) => void (child.connected && child.send(order, () => undefined)),
    kill: () => void child.kill("SIGKILL"),
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    ended: new Promise((resolve) =>
      child.once("exit", () => {
        running.delete(child)
        resolve()
      }),
    ),
  }
}
