/** `?? snapshot` as a person and a CI use it: over a copy of a file, on the embedded gateway. */
import { copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { Json } from "@dotrpc/spec"
import { temporaryFolder } from "./folders.ts"
import { requests, startAt } from "./dotrpc.ts"

const storage = `eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x2", "latest"]`
const block = `eth_getBlockByNumber ["0x1", false]`

const folderWith = (text: string, kept?: string) => {
  const folder = temporaryFolder()
  copyFileSync(join(requests, "rpc.config.json"), join(folder, "rpc.config.json"))
  writeFileSync(join(folder, "a.rpc"), text)
  if (kept !== undefined) writeFileSync(join(folder, "a.rpc.snap"), kept)
  return folder
}

const runIn = (cwd: string, ...args: ReadonlyArray<string>) =>
  startAt({ cwd, env: { CI: "" } }, "run", "a.rpc", ...args).outcome

const keptIn = (folder: string): Json.Json => Json.parse(readFileSync(join(folder, "a.rpc.snap"), "utf8"))

const of = (name: string, value: Json.Json) => Json.stringify({ version: 1, snapshots: { [name]: value } })

describe("?? snapshot", () => {
  it("keeps the result of the first run, and passes while it is the same", async () => {
    const folder = folderWith(`### owner\n${storage}\n?? snapshot\n`)
    expect(await runIn(folder)).toMatchObject({ code: 0, stderr: "dotrpc: wrote a.rpc.snap\n" })
    expect(keptIn(folder)).toMatchObject({ version: 1, snapshots: { owner: expect.stringMatching(/^0x/) } })
    expect(await runIn(folder)).toMatchObject({ code: 0, stderr: "" })
  })

  const other = `### owner\n${storage}\n?? snapshot\n`
  it("fails with a diff on another result, and --update keeps that one", async () => {
    const folder = folderWith(other, of("owner", "0x7"))
    const { code, stdout } = await runIn(folder)
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /✗ snapshot: 1 value differs from the snapshot \(a\.rpc:3\)\n {6}- result: "0x7"\n {6}\+ result: "0x0{4}/,
    )
    expect(keptIn(folder)).toMatchObject({ snapshots: { owner: "0x7" } })
    expect(await runIn(folder, "--update")).toMatchObject({ code: 0, stderr: "dotrpc: wrote a.rpc.snap\n" })
    expect(await runIn(folder)).toMatchObject({ code: 0, stderr: "" })
  })

  const check = (format: string, expected: RegExp) =>
    it(`has its diff in ${format}`, async () => {
      const { stdout } = await runIn(folderWith(other, of("owner", "0x7")), "--format", format)
      expect(stdout).toMatch(expected)
    })
  check(
    "json",
    /"status": "check-failed"[^]*"differences": \[\s*\{\s*"path": "result",\s*"left": "0x7",\s*"right": "0x/,
  )
  check("junit", /<failure message="snapshot">1 value differs from the snapshot\n- result: "0x7"\n\+ result: "0x/)
  check("tap", /diff: "- result: \\"0x7\\"\\n\+ result: \\"0x/)

  it("fails in CI where there is none, and writes nothing", async () => {
    const folder = folderWith(other)
    const { code, stdout } = await startAt({ cwd: folder, env: { CI: "true" } }, "run", "a.rpc").outcome
    expect(code).toBe(1)
    expect(stdout).toContain("✗ snapshot: a.rpc.snap has no snapshot of it: run with --update and commit that file")
    expect(existsSync(join(folder, "a.rpc.snap"))).toBe(false)
  })

  it("leaves out what changes, by its path", async () => {
    const folder = folderWith(`### block\n${block}\n?? snapshot("result.timestamp", "result.hash")\n`)
    expect((await runIn(folder)).code).toBe(0)
    const text = readFileSync(join(folder, "a.rpc.snap"), "utf8")
    expect(text).not.toMatch(/"timestamp"|"hash"/)
    expect(text).toMatch(/\n {6}"number": "0x1",\n/)
    expect((await runIn(folder)).code).toBe(0)
  })

  it("names the snapshots that no request uses, and --update removes them", async () => {
    const folder = folderWith(`### owner\n${storage}\n?? snapshot\n`, of("before", "0x7"))
    const { code, stderr } = await runIn(folder)
    expect(code).toBe(0)
    expect(stderr).toContain("dotrpc: a.rpc.snap has snapshots that no request uses: before; --update removes them\n")
    expect(keptIn(folder)).toMatchObject({ snapshots: { before: "0x7" } })
    expect((await runIn(folder, "--update")).code).toBe(0)
    expect(keptIn(folder)).not.toMatchObject({ snapshots: { before: "0x7" } })
  })

  it("of one request leaves the others as they are", async () => {
    const folder = folderWith(`### a\n${storage}\n?? snapshot\n\n### b\n${storage}\n?? snapshot\n`, of("a", "0x7"))
    expect((await runIn(folder, "--name", "b", "--update")).code).toBe(0)
    expect(keptIn(folder)).toMatchObject({ snapshots: { a: "0x7", b: expect.stringMatching(/^0x/) } })
  })

  it("of one request does not replace a file with a merge conflict, and a run of all requests does", async () => {
    const conflict = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> main\n"
    const folder = folderWith(`### a\n${storage}\n?? snapshot\n\n### b\n${storage}\n?? snapshot\n`, conflict)
    const { code, stdout } = await runIn(folder, "--name", "b", "--update")
    expect(code).toBe(1)
    expect(stdout).toContain("✗ snapshot: a.rpc.snap is not a file of snapshots: fix it, or run all requests")
    expect(readFileSync(join(folder, "a.rpc.snap"), "utf8")).toBe(conflict)
    expect((await runIn(folder, "--update")).code).toBe(0)
    expect(keptIn(folder)).toMatchObject({ snapshots: { a: expect.stringMatching(/^0x/), b: expect.any(String) } })
  })

  it("names only the first of many snapshots that no request uses", async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => [`gone ${index}`, 1])
    const kept = Json.stringify({ version: 1, snapshots: Object.fromEntries(names) as Json.Json })
    const { stderr } = await runIn(folderWith(`### owner\n${storage}\n?? snapshot\n`, kept))
    expect(stderr).toContain(
      "no request uses: gone 0, gone 1, gone 2, gone 3, gone 4 and 995 more; --update removes them\n",
    )
  })

  it("is not written through a link that somebody put there", async () => {
    const folder = folderWith(other)
    const elsewhere = join(temporaryFolder(), "elsewhere")
    symlinkSync(elsewhere, join(folder, "a.rpc.snap"))
    const { code, stderr } = await runIn(folder)
    expect(code).toBe(3)
    expect(stderr).toMatch(/dotrpc: a\.rpc\.snap cannot be written: /)
    expect(existsSync(elsewhere)).toBe(false)
  })

  it("cannot be written by a run that sends nothing", async () => {
    const outcome = await runIn(folderWith(other), "--update", "--dry-run")
    expect(outcome).toMatchObject({ code: 2, stderr: "dotrpc: --update writes what a run answers: remove --dry-run\n" })
  })
})
