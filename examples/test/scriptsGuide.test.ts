/** docs/scripts.md, followed to the letter: its files compile, its programs print what it says, its test passes. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, describe, expect, it, vi } from "vitest"
import { printedBy } from "./printed.ts"

const examples = join(import.meta.dirname, "..")
const guide = readFileSync(join(examples, "../docs/scripts.md"), "utf8")

const blocks = [...guide.matchAll(/^`([\w.]+)`:\n\n```ts\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm)].map(
  ([, file = "", code = "", printed]) => ({ file, code, printed }),
)

/** Beside the examples, where the packages are found by their names. */
const room = mkdtempSync(join(examples, ".guide-"))
for (const { code, file } of blocks) writeFileSync(join(room, file), code)
afterAll(() => rmSync(room, { recursive: true, force: true }))

const run = promisify(execFile)

describe("the page about scripts", () => {
  it("shows every program in a file, and nothing else as TypeScript", () => {
    expect(blocks.map(({ file }) => file)).toContain("client.ts")
    expect(guide.match(/^```ts$/gm)).toHaveLength(blocks.length)
  })

  it("compiles", async () => {
    const config = {
      extends: "@dotrpc/tsconfig/base.json",
      files: blocks.map(({ file }) => file),
      compilerOptions: { types: ["node"], customConditions: [], noEmit: true },
    }
    writeFileSync(join(room, "tsconfig.json"), JSON.stringify(config))
    const problems = await run(join(examples, "node_modules/.bin/tsc"), ["-p", room, "--pretty", "false"]).then(
      () => "",
      (error: { readonly stdout: string }) => error.stdout,
    )
    expect(problems).toBe("")
  })

  for (const { file, printed } of blocks.filter(({ printed }) => printed !== undefined))
    it(`prints what it says: ${file}`, async () => expect(await printedBy(join(room, file))).toBe(printed))

  it("says how to run one", async () => {
    const { stderr, stdout } = await run(process.execPath, [join(room, "first.ts")])
    expect(stdout).toBe(blocks.find(({ file }) => file === "first.ts")?.printed)
    expect(stderr).toBe("")
  })

  it("sends spans and metrics to a collector", async () => {
    const paths = new Set<string | undefined>()
    const collector = createServer((request, response) => {
      paths.add(request.url)
      request.resume().on("end", () => response.end("{}"))
    })
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
    const { port } = collector.address() as AddressInfo
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`)
    await printedBy(join(room, "traced.ts"))
    vi.unstubAllEnvs()
    collector.close()
    expect([...paths]).toEqual(expect.arrayContaining(["/v1/traces", "/v1/metrics"]))
  })

  // Vitest in a process of its own; a landing compiles these tests only.
  const inDeepRuns = isDeep ? it : () => undefined
  inDeepRuns("tests the client as it says", async () => {
    const vitest = join(examples, "node_modules/.bin/vitest")
    const { stdout } = await run(vitest, ["run", "--root", room, "--reporter", "tap-flat", "--testTimeout", "50000"])
    expect(stdout).toMatch(/^1\.\.3$/m)
    expect(stdout).not.toContain("not ok")
  })
})
