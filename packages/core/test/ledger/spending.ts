/** Real processes that spend from a ledger. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"

/** After how many calls processes are killed: each is one that starts, so a landing kills some of them. */
export const kills: ReadonlyArray<number> = isDeep ? [1, 1, 1, 2, 3, 40, 90, 200] : [1, 3, 90]

/** Runs a process until it says that it has made so many calls, kills it, and returns what it says to have spent. */
export const spendAndDie = (address: string, calls: number, daily = 3_000_000): Promise<number> => {
  const worker = join(import.meta.dirname, "worker.ts")
  const child = spawn(process.execPath, ["--conditions=dotrpc-source", worker, address, `${daily}`, "1000000"], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  let text = ""
  const lines = () => text.split("\n").slice(0, -1)
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
    if (lines().length >= calls) child.kill("SIGKILL")
  })
  return new Promise((resolve, reject) =>
    child.on("close", (code, signal) =>
      code === 0 || signal === "SIGKILL"
        ? resolve(lines().reduce((sum, line) => sum + Number(line), 0))
        : reject(new Error(`it failed after ${lines().length} calls`)),
    ),
  )
}
