import { build } from "esbuild"
import { expect, it } from "vitest"

it("a bundle for browsers holds every ledger and nothing of Node or of the clients of Redis and PostgreSQL", async () => {
  const { errors, metafile, outputFiles, warnings } = await build({
    entryPoints: [new URL("../src/index.ts", import.meta.url).pathname],
    conditions: ["dotrpc-source"],
    platform: "browser",
    format: "esm",
    bundle: true,
    write: false,
    metafile: true,
    logLevel: "silent",
  })
  expect([...errors, ...warnings].map(({ text }) => text)).toEqual([])
  const inputs = Object.keys(metafile.inputs)
  expect(inputs.some((path) => path.endsWith("src/ledger/FileLedger.ts"))).toBe(true)
  expect(inputs.some((path) => path.endsWith("src/ledger/RedisLedger.ts"))).toBe(true)
  expect(inputs.some((path) => path.endsWith("src/PostgresLedger.ts"))).toBe(true)
  const isClient = (path: string) => /[/](?:ioredis|sql-pg)[/]/.test(path) && !path.startsWith("(disabled)")
  expect(inputs.filter(isClient)).toEqual([])
  const text = outputFiles.map((file) => file.text).join("\n")
  expect(/\b(import|require)\b[^\n]*["']node:/.exec(text)).toBeNull()
})
