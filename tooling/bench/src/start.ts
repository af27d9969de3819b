/** What it costs to start `dotrpc`: whole processes of the built command, from nothing to their end, beside a bare Node. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../..")
const command = join(root, "apps/cli/dist/dotrpc.mjs")
const request = join(root, "examples/quickstart.rpc")

export const bare = "node -e 0"

const started: Readonly<Record<string, ReadonlyArray<string>>> = {
  [bare]: ["-e", "0"],
  "dotrpc --version": [command, "--version"],
  "dotrpc fmt --check": [command, "fmt", "--check", request],
  "dotrpc check": [command, "check", request],
  "dotrpc call": [command, "call", "eth_blockNumber"],
  "dotrpc run": [command, "run", request],
}

export const contenders: ReadonlyArray<string> = Object.keys(started)

/** Runs with a home of its own, in which a first start has left its caches: as of somebody who uses dotrpc. */
export const withHome = async <A>(use: (measure: (contender: string) => Promise<number>) => Promise<A>): Promise<A> => {
  const home = mkdtempSync(join(tmpdir(), "dotrpc-start-"))
  try {
    const measure = (contender: string) => cpuOf(started[contender] ?? [], home)
    for (const contender of contenders) await measure(contender)
    return await use(measure)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Microseconds of CPU of a process, all threads together. */
const cpuOf = (args: ReadonlyArray<string>, home: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { NODE_COMPILE_CACHE: _, ...environment } = process.env
    const child = spawn(process.execPath, ["--require", join(import.meta.dirname, "countCpu.cjs"), ...args], {
      cwd: root,
      env: { ...environment, HOME: home, XDG_CACHE_HOME: join(home, "cache") },
      stdio: ["ignore", "ignore", "inherit", "pipe"],
    })
    let output = ""
    child.stdio[3]?.on("data", (piece) => (output += String(piece)))
    child.on("error", reject)
    child.on("close", (code) => {
      if (code === 0) resolve(Number(output))
      else reject(new Error(`${args.join(" ")} ended with ${code}`))
    })
  })
