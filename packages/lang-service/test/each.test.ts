/** What an editor shows of `# @each`: rows of a variable, as tests have no files. */
import { describe, expect, it } from "vitest"
import { completion, definition, hover, lenses, rename } from "../src/index.ts"
import { apply, openAt } from "./cursor.ts"

const rows = '@holders = [{ "address": "0x5fbdb2315678afecb367f032d93f642f64180aa3", "least": 1 }]\n'
const section = (params: string, checks = "") =>
  `${rows}###\n# @each holders\neth_getBalance [${params}, "latest"]\n${checks}`
const balance = "{{row.address}}"

describe("# @each in an editor", () => {
  const labels = (
    name: string,
    marked: string,
    expected: ReadonlyArray<string>,
    excluded: ReadonlyArray<string> = [],
  ) =>
    it(name, () => {
      const { document, position } = openAt(marked)
      const found = completion(document, position).map(({ label }) => label)
      expect(found).toEqual(expect.arrayContaining([...expected]))
      expect(found.filter((label) => excluded.includes(label))).toEqual([])
    })
  labels("offers the row among the names", section("{{|}}"), ["row", "holders"], ["every"])
  labels("offers the columns", section("{{row.|}}"), ["address", "least"])
  labels("offers the functions over all rows in checks", section(balance, "?? |\n"), ["row", "every", "sum"])
  labels("offers no row elsewhere", '###\neth_getBalance ["0x", "latest"]\n?? |\n', ["result", "every"], ["row"])
  labels("offers no functions over rows in params", "###\neth_getBalance [{{|}}]\n", ["hex"], ["row", "every"])
  labels("offers requests as rows", "###\n# @name logs\neth_getLogs [{}]\n###\n# @each |\neth_blockNumber []\n", [
    "logs",
  ])

  it("offers files of the folder as rows", () => {
    const { document, position } = openAt("###\n# @each |\neth_blockNumber []\n")
    const known = { ...document, known: { ...document.known, rowFiles: ["holders.csv"] } }
    expect(completion(known, position).map(({ label }) => label)).toContain("holders.csv")
  })

  const says = (name: string, marked: string, expected: RegExp) =>
    it(name, () => {
      const { document, position } = openAt(marked)
      expect(JSON.stringify(hover(document, position))).toMatch(expected)
    })
  says("explains itself", section(balance).replace("@each", "@ea|ch"), /one call for each row/)
  says("shows the first row", section("{{r|ow.address}}"), /a row of holders · the first of 1.*0x5fbdb231/)
  says("shows a value of the first row", section("{{row.addr|ess}}"), /0x5fbdb231/)
  says("explains its functions", section(balance, "?? ev|ery(result > 0)\n"), /every\(check\)/)

  it("shows the price of all rows above the call", () => {
    const { document } = openAt(section(balance))
    expect(lenses(document.analysis, document.lines)[0]?.title).toBe("Run · 80 credits · 1 row")
  })

  it("leads to the request that it names, and follows its new name", () => {
    const text =
      "###\n# @name logs\neth_getLogs [{}]\n###\n# @each lo|gs.result\neth_getTransactionReceipt [{{row.transactionHash}}]\n"
    const { document, position } = openAt(text)
    expect(definition(document, position)).toMatchObject({ range: { start: { line: 1 } } })
    const changes = rename(document, position, "events")
    if ("reason" in changes) throw new Error("it is not renamed")
    expect(apply(document, changes)).toContain("# @each events.result")
  })

  it("does not rename the row", () => {
    const { document, position } = openAt(section("{{r|ow.address}}"))
    expect(rename(document, position, "line")).toMatchObject({ reason: expect.stringContaining("built-in") })
  })
})
