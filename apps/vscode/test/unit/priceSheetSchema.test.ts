/** The schema that the editor completes a price sheet with says what the reader of the file says. */
import { parsePriceSheet, priceSheetSchema } from "@dotrpc/analysis"
import { Ajv } from "ajv"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"

const path = new URL("../../prices.schema.json", import.meta.url)
const schema = priceSheetSchema()

test("the shipped schema is that of the reader; UPDATE=1 rewrites it", () => {
  if (process.env["UPDATE"] === "1") writeFileSync(path, `${JSON.stringify(schema, null, 2)}\n`)
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(schema)
})

const accepts = new Ajv({ strict: false }).compile(schema)

const check = (sheet: unknown, isGood: boolean) => {
  expect(parsePriceSheet(JSON.stringify(sheet)).problems.length === 0).toBe(isGood)
  expect(accepts(sheet)).toBe(isGood)
}

const ours = {
  $schema: "./prices.schema.json",
  id: "ours",
  title: "Ours",
  unit: { one: "unit", many: "units" },
  window: { kind: "days", days: 30 },
  sources: [],
  rules: [{ methods: ["*"], price: 1 }],
  settle: [],
}

test("a sheet of your own is accepted by both", () => check(ours, true))

const sheets = new URL("../../../../packages/prices/sheets/", import.meta.url)
test.each(readdirSync(sheets))("%s is accepted by both", (name) =>
  check(JSON.parse(readFileSync(new URL(name, sheets), "utf8")), true),
)

test.each([
  [{ ...ours, id: "Ours" }],
  [{ ...ours, unit: "credits" }],
  [{ ...ours, window: { kind: "week" } }],
  [{ ...ours, window: { kind: "days", days: 0 } }],
  [{ ...ours, rule: [] }],
  [{ ...ours, rules: [{ methods: ["*"], price: -1 }] }],
  [{ ...ours, rules: [{ methods: ["*"], prise: 1 }] }],
  [{ ...ours, settle: [{ outcome: "fine", charge: 0 }] }],
  [{ ...ours, settle: [{ httpStatus: 42, charge: 0 }] }],
])("%j is refused by both", (sheet) => check(sheet, false))
