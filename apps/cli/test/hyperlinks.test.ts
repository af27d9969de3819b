import CliTable from "cli-table3"
import { createSupportsHyperlinks } from "supports-hyperlinks"
import { stripVTControlCharacters } from "node:util"
import { afterEach, describe, expect, it } from "vitest"
import { forTerminal } from "../src/render/border.ts"
import { hyperlinksFor } from "../src/render/hyperlinks.ts"

const names = [
  "CI",
  "FORCE_HYPERLINK",
  "NO_COLOR",
  "TERM",
  "TERM_PROGRAM",
  "TERM_PROGRAM_VERSION",
  "VTE_VERSION",
] as const
type Environment = Partial<Record<(typeof names)[number], string>>

const before = names.map((name) => [name, process.env[name]] as const)
const set = (environment: Environment) => {
  for (const name of names) {
    const value = environment[name]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}
afterEach(() => set(Object.fromEntries(before.filter(([, value]) => value !== undefined))))

/** As a process that is started in the environment finds it. */
const linksOf = (isTTY: boolean) =>
  hyperlinksFor({ isTTY, followsLinks: createSupportsHyperlinks({ isTTY }) }, process.env)

const terminal = { TERM: "xterm-256color", VTE_VERSION: "7600" }
const page = "https://scan.example/tx/0xab"
const linked = (address: string) => `\u001B]8;;${address}\u0007cell\u001B]8;;\u0007`

describe("a cell leads to its page", () => {
  const check = (where: string, environment: Environment, isTTY: boolean, expected: string) =>
    it(where, () => {
      set(environment)
      expect(forTerminal(linksOf(isTTY)("cell", page))).toBe(expected)
    })
  check("in a terminal that follows links", terminal, true, linked(page))
  check(
    "in the editor's terminal",
    { TERM: "xterm-256color", TERM_PROGRAM: "vscode", TERM_PROGRAM_VERSION: "1.100.0" },
    true,
    linked(page),
  )
  check("where the user says so", { FORCE_HYPERLINK: "1" }, false, linked(page))
  check("but not in one that does not follow them", { TERM: "xterm-256color" }, true, "cell")
  check("but not when it is piped", terminal, false, "cell")
  check("but not without colours", { ...terminal, NO_COLOR: "1" }, true, "cell")
  check("but not in the log of a CI", { ...terminal, CI: "true" }, true, "cell")
  check("but not where the user says no", { ...terminal, FORCE_HYPERLINK: "0" }, true, "cell")
})

describe("an address", () => {
  const check = (what: string, address: string | undefined, expected: string) =>
    it(what, () => {
      set(terminal)
      expect(forTerminal(linksOf(true)("cell", address))).toBe(expected)
    })
  check("that is not one leaves the text alone", undefined, "cell")
  check("of another kind leaves the text alone", "file:///etc/passwd", "cell")
  check("that cannot be read leaves the text alone", "scan.example", "cell")
  check(
    "cannot end its link early",
    "https://scan.example/a\u0007b\u001B\\c;d",
    linked("https://scan.example/a%07b%1B/c%3bd"),
  )

  it("takes no room in a table", () => {
    set(terminal)
    const link = linksOf(true)
    const draw = (first: string) => {
      const table = new CliTable({ style: { border: [], head: [] } })
      table.push([first, "x"], ["a wide cell", "y"])
      return table.toString()
    }
    const address = "https://scan.example/tx/0x'(a)*,+b?cluster=devnet&x=1#y"
    expect(stripVTControlCharacters(draw(link("cell", address)))).toBe(draw("cell"))
  })
})
