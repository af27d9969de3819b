/** Real processes that share a rate through one database. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { isDeep, runs } from "@dotrpc/vitest/depth"
import { afterAll, describe, expect, it } from "vitest"

/** `placeOf` gives a file or a URL where nothing is yet; the same one for the same name. */
export const processLaws = (where: string, placeOf: (name: string) => string): void => {
  const running = new Set<ChildProcess>()
  afterAll(() => {
    for (const child of running) child.kill("SIGKILL")
  })

  const start = (...args: ReadonlyArray<string>) => {
    const worker = join(import.meta.dirname, "worker.ts")
    const child = spawn(process.execPath, ["--conditions=dotrpc-source", worker, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    running.add(child)
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (said += chunk))
    const ended = once(child, "close").then(([code]) => {
      running.delete(child)
      return code
    })
    return { child, ended, said: () => said }
  }

  /** Of each process. */
  const steps = runs(600)
  /** Each takes a second to begin. */
  const several = isDeep ? 3 : 2
  const inDeepRuns = isDeep ? it : () => undefined

  describe(`processes that share ${where}`, () => {
    it("lose no step of each other", async () => {
      const all = Array.from({ length: several }, () => start("count", placeOf("count"), `${steps}`))
      expect(new Set(await Promise.all(all.map(({ ended }) => ended)))).toEqual(new Set([0]))
      expect(Math.max(...all.map(({ said }) => Number(said())))).toBe(several * steps)
    })

    it("send no faster together than one of them may", async () => {
      const all = Array.from({ length: several }, () => start("rate", placeOf("rate"), "80"))
      expect(new Set(await Promise.all(all.map(({ ended }) => ended)))).toEqual(new Set([0]))
      const times = all.flatMap(({ said }) => said().trim().split("\n").map(Number))
      const seconds = (Math.max(...times) - Math.min(...times)) / 1_000
      // What was saved up goes at once; a clock of milliseconds may be wrong by one.
      expect(several * 80).toBeLessThanOrEqual(100 * seconds + 10 + 1)
    })

    inDeepRuns("keep their rate when one of them is killed", async () => {
      const file = placeOf("killed")
      const [one, other] = [start("rate", file, "1000000"), start("rate", file, "100")]
      await once(one.child.stdout, "data")
      one.child.kill("SIGKILL")
      await one.ended
      expect(await other.ended).toBe(0)
    })

    inDeepRuns("begin at the same time", async () => {
      const all = Array.from({ length: 6 }, () => start("count", placeOf("new"), "1"))
      expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([0, 0, 0, 0, 0, 0])
      expect(Math.max(...all.map(({ said }) => Number(said())))).toBe(6)
    })
  })
}
