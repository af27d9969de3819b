/** The schema that the editor completes `rpc.config.json` with says what the reader of the file says. */
import { configSchema, parseConfig } from "@dotrpc/analysis"
import { carriedPlugins } from "@dotrpc/project"
import { Ajv } from "ajv"
import { readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"

const path = new URL("../../rpc.config.schema.json", import.meta.url)
const schema = configSchema([...carriedPlugins.values()])
const text = `${JSON.stringify(schema, null, 2)}\n`

test("the shipped schema is that of the reader; UPDATE=1 rewrites it", () => {
  if (process.env["UPDATE"] === "1") writeFileSync(path, text)
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(schema)
})

const accepts = new Ajv({ strict: false }).compile(schema)

const check = (config: unknown, isGood: boolean) => {
  expect(parseConfig(JSON.stringify(config)).problems.length === 0).toBe(isGood)
  expect(accepts(config)).toBe(isGood)
}

test.each([
  [{}],
  [{ $schema: "./rpc.config.schema.json", networks: { main: { plugin: "evm", url: "embedded:evm" } } }],
  [{ networks: { main: { historyDepth: null, credits: { eth_getLogs: 75 } } } }],
  [{ environments: { prod: { vars: { any: [1, { deep: true }] }, networks: { main: { url: "x" } } } } }],
  [{ limits: { daily: 0, perSecond: 1, reserveForInteractive: 0.5 }, ledger: "redis://host" }],
])("%j is accepted by both", (config) => check(config, true))

test.each([
  [{ network: {} }],
  [{ networks: { main: { pluging: "evm" } } }],
  [{ networks: { main: { historyDepth: -1 } } }],
  [{ plugins: "evm" }],
  [{ limits: { daily: 1.5 } }],
  [{ limits: { perSecond: 0 } }],
  [{ limits: { reserveForInteractive: 1 } }],
  [{ ledger: "disk" }],
])("%j is refused by both", (config) => check(config, false))

test("known names are offered", () => {
  expect(text).toContain('"token-accounts"')
  expect(text).toContain('"{{$secret.API_KEY}}"'.slice(1, -1))
})

test("every member is explained", () => {
  const unexplained: Array<string> = []
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if ("properties" in value && typeof value.properties === "object" && value.properties !== null) {
      for (const [name, inner] of Object.entries(value.properties)) {
        if (!JSON.stringify(inner).includes('"description"')) unexplained.push(name)
      }
    }
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(schema)
  expect(unexplained).toEqual([])
})
