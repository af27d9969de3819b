/** Real processes that spend from a ledger. */
import { execFile, spawn } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { isDeep } from "@dotrpc/vitest/depth"

/** After how many calls processes are killed: each is one that starts, so a landing kills some of them. */
export const kills: ReadonlyArray<number> = isDeep ? [1, 1, 1, 2, 3, 40, 90, 200] : [1, 3, 90]

/** Runs a process until it says that it has made so many calls, kills it, and returns what it says to have spent. */
/** Real processes that take so many calls each from a rate of one a second: how long each call would wait, in milliseconds. */
export const takeFromRate = async (
  address: string,
  processes: number,
  calls: number,
): Promise<ReadonlyArray<number>> => {
  const worker = join(import.meta.dirname, "worker.ts")
  const args = ["--conditions=dotrpc-source", worker, address, "1000", `${calls}`, "pace"]
  const outputs = await Promise.all(
    Array.from({ length: processes }, () => promisify(execFile)(process.execPath, args)),
  )
  return outputs.flatMap(({ stdout }) => stdout.split("\n").slice(0, -1).map(Number))
}

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
