import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fileBalances } from "../../src/server/Server.ts"
import { balanceLaws } from "../balances.ts"
import { noon } from "../gatewayRequests.ts"

const root = mkdtempSync(join(tmpdir(), "dotrpc-balances-"))
afterAll(() => rmSync(root, { recursive: true }))

let folders = 0
const newFolder = () => join(root, `balances ${folders++}`)
const open = (path: string) => Effect.runPromise(fileBalances({ path }))
const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
const daily = { daily: 1_000 }
const getLogs = { method: "eth_getLogs", credits: 255 }

balanceLaws("in a folder", () => {
  const path = newFolder()
  return Promise.all([open(path), open(path)])
})

describe("balances in a folder", () => {
  it("are where they were after a restart", async () => {
    const path = newFolder()
    await run((await open(path)).admit("key", [getLogs], daily, noon))
    const again = await open(path)
    expect(await run(again.balance("key", noon))).toMatchObject({ spent: 255, byMethod: { eth_getLogs: 255 } })
    expect(await run(again.admit("key", [getLogs, getLogs, getLogs], daily, noon))).toMatchObject({ admitted: false })
  })

  it("are for their owner's eyes, and hold no key", async () => {
    const path = join(newFolder(), "made", "for them")
    await run((await open(path)).admit("canary-key", [getLogs], daily, noon))
    const files = readdirSync(path).filter((name) => name.endsWith(".json"))
    expect(files).toHaveLength(1)
    for (const file of files) {
      expect(file).toMatch(/^[0-9a-f]{32}\.json$/)
      expect(statSync(join(path, file)).mode & 0o077).toBe(0)
      expect(readFileSync(join(path, file)).includes("canary-key")).toBe(false)
    }
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  const damaged = (what: string, harm: (text: string) => string) =>
    it(`refuse what they cannot read, and leave it as it is: ${what}`, async () => {
      const path = newFolder()
      await run((await open(path)).admit("key", [getLogs], daily, noon))
      const file = join(path, readdirSync(path).find((name) => name.endsWith(".json")) ?? "")
      const text = harm(readFileSync(file, "utf8"))
      writeFileSync(file, text)
      const refused = await run(Effect.result((await open(path)).admit("key", [getLogs], daily, noon)))
      expect(refused).toMatchObject({
        failure: { why: expect.stringMatching(/is damaged.*Restore the file, or remove it/) },
      })
      expect(readFileSync(file, "utf8")).toBe(text)
    })
  damaged("a file that is empty", () => "")
  damaged("a digit that is another", (text) => text.replace("255", "155"))
  damaged("a text that is cut off", (text) => text.slice(0, -20))

  it("need a folder", async () => {
    const path = newFolder()
    writeFileSync(path, "")
    expect(await run(Effect.result(fileBalances({ path })))).toMatchObject({
      failure: { why: expect.stringContaining("give the path of a folder") },
    })
  })
})

describe("several processes on one folder", () => {
  const source = new URL("../../src/server/Server.ts", import.meta.url).href
  /** Admits single credits as fast as it can until it is refused; says how many. */
  const spender = (path: string) => `
    const { fileBalances } = await import(${JSON.stringify(source)})
    const { Effect } = await import("effect")
    const program = Effect.gen(function* () {
      const balances = yield* fileBalances({ path: ${JSON.stringify(path)} })
      let admitted = 0
      while ((yield* balances.admit("key", [{ method: "m", credits: 1 }], { daily: 500 }, ${noon})).admitted) admitted += 1
      return admitted
    })
    console.log(await Effect.runPromise(program))`

  it("never overspend together, from the first moment on", async () => {
    const path = newFolder()
    const script = join(import.meta.dirname, `spender-${process.pid}.ts`)
    writeFileSync(script, spender(path))
    const spent = await Promise.all(
      Array.from(
        { length: 3 },
        () =>
          new Promise<number>((resolve, reject) =>
            execFile(process.execPath, ["--conditions=dotrpc-source", script], (error, stdout) =>
              error === null ? resolve(Number(stdout)) : reject(error),
            ),
          ),
      ),
    ).finally(() => rmSync(script))
    expect(spent.reduce((sum, count) => sum + count, 0)).toBe(500)
  })
})
