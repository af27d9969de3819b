/** What running a command in a test gives, in this process or in one of its own. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"

export const requests = join(import.meta.dirname, "requests")

/** Secrets of tests stay on this machine, and what they would leave in the user's data folder is not written. */
const thisMachine = ["127.0.0.1", "localhost"]
  .flatMap((host) => [`http://${host}`, `redis://${host}`, `postgres://${host}`])
  .join(",")

/** A key that must never be seen. */
export const canary = "canary-6f1d2c9be0a7"

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly outcome: Promise<Outcome>
  readonly interrupt: () => void
  /** What has been printed on stdout. */
  readonly soFar: () => string
  /** Resolves once this text has been printed. */
  readonly printed: (text: string) => Promise<void>
}

/** Where it runs, what else is in its environment, and what is typed into it. */
export interface Place {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Readable
  /** Whether a person sits there, who can be asked. */
  readonly isTerminal?: boolean
}

export const environmentOf = ({ env }: Place): NodeJS.ProcessEnv => ({
  ...process.env,
  CANARY: canary,
  NO_COLOR: "1",
  // A person's machine, wherever the tests run.
  CI: "",
  // What is kept to be faster is shared by the tests, and apart from the user's own.
  XDG_CACHE_HOME: join(tmpdir(), "dotrpc-tests-cache"),
  // No test spends from the user's own balance, nor from that of an earlier run of the tests.
  XDG_DATA_HOME: join(tmpdir(), `dotrpc-tests-data-${process.pid}`),
  DOTRPC_ALLOW_HOSTS: thisMachine,
  ...env,
})

/** What a command has printed so far. */
export class Printed {
  stdout = ""
  stderr = ""
  readonly #waiting = new Set<() => void>()

  add(name: "stdout" | "stderr", text: string): void {
    this[name] += text
    for (const check of this.#waiting) check()
  }

  /** Resolves once this text has been printed. */
  has(text: string): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!(this.stdout + this.stderr).includes(text)) return
        this.#waiting.delete(check)
        resolve()
      }
      this.#waiting.add(check)
      check()
    })
  }

  outcome(code: number | null): Outcome {
    return { code, stdout: this.stdout, stderr: this.stderr }
  }
}
