import { Visible } from "@dotrpc/spec"
import { type Diagnostic, parse } from "@dotrpc/lang"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Readable } from "node:stream"
import { describe, expect, it } from "vitest"
import { outputOf } from "../src/Output.ts"
import { colorsFor } from "../src/render/colors.ts"
import { showDiagnostics } from "../src/render/diagnostics.ts"
import { fitted, textTable } from "../src/render/textTable.ts"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const plain = colorsFor({ isTTY: false }, {})

describe("colours", () => {
  const check = (what: string, isTTY: boolean, env: Readonly<Record<string, string>>, expected: boolean) =>
    it(`are ${expected ? "" : "not "}there ${what}`, () =>
      expect(colorsFor({ isTTY }, env).red("x") !== "x").toBe(expected))
  check("on a terminal", true, { TERM: "xterm" }, true)
  check("in a file", false, { TERM: "xterm" }, false)
  check("on a terminal that has none", true, { TERM: "dumb" }, false)
  check("where they are asked for", false, { TERM: "dumb", FORCE_COLOR: "1" }, true)
  check("where they are forbidden", true, { NO_COLOR: "1" }, false)
})

describe("progress", () => {
  const check = (what: string, isTTY: boolean, TERM: string, expected: number) =>
    it(`is ${expected === 0 ? "not " : ""}shown ${what}`, () => {
      const written: Array<string> = []
      const write = (text: string): void => void written.push(text)
      const raw = { isTTY, columns: 80, followsLinks: false, write, writeWhole: async (text: string) => write(text) }
      const stdin = { isTTY, stream: () => Readable.from([]) }
      outputOf({
        cwd: "/",
        home: "/",
        env: { TERM },
        program: [],
        begun: () => {},
        stdin,
        stdout: raw,
        stderr: raw,
      }).showProgress("1 item")
      expect(written).toHaveLength(expected)
    })
  check("on a terminal", true, "xterm", 1)
  check("where lines cannot be replaced", true, "dumb", 0)
  check("in a file", false, "xterm", 0)
})

describe("text from outside", () => {
  const check = (text: string, expected: string) =>
    it(JSON.stringify(text), () => expect(Visible.line(text)).toBe(expected))
  check("as it is: é 数 🎈", "as it is: é 数 🎈")
  check("\u001B[2J\u001B]0;title\u0007", "␛[2J␛]0;title␇")
  check("a\r\nb\nc\rd\te", "a␍␊b␊c␍d␉e")
  check("\u007F\u009B31m \u202Eabc", "␡\uFFFD31m \uFFFDabc")

  /** What a run shows of two requests to a server that gives these replies. */
  const shownOf = async (...replies: ReadonlyArray<object>): Promise<string> => {
    let answered = 0
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        const reply = replies[answered++]
        response.end(JSON.stringify({ jsonrpc: "2.0", id: answered, ...reply }))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const cwd = temporaryFolder()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks: { evm: { plugin: "evm", url } } }))
    const section = `# @retry 0\neth_getTransactionReceipt ["0x${"ab".repeat(32)}"]\n`
    writeFileSync(join(cwd, "a.rpc"), `### a\n${section}### b\n${section}`)
    const { stdout } = await startAt({ cwd }, "run", "a.rpc").outcome
    server.close()
    return stdout
  }

  it("steers no terminal, whether a server sends it as a result or as an error", async () => {
    const evil = "\u001B[2Jgone\u009B2J"
    const stdout = await shownOf({ error: { code: -32000, message: evil } }, { result: { [evil]: evil } })
    expect(stdout.match(/␛\[2Jgone\uFFFD2J/g)?.length).toBeGreaterThanOrEqual(3)
    // oxlint-disable-next-line no-control-regex -- These are what must not be there.
    expect(stdout).not.toMatch(/[\u001B\u009B]/)
  })

  it("is laid out soon and in short lines, however long the names of members are", async () => {
    const long = "a\u0301".repeat(20_000)
    const stdout = await shownOf({ result: [{ [long]: long }] }, { result: { [long]: long } })
    expect(stdout.match(/(?:a\u0301){20}/g)?.length).toBeGreaterThanOrEqual(3)
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThan(500)
  })
})

it("the prices of more requests than a person looks through are summed up", async () => {
  const cwd = temporaryFolder()
  const hash = `"0x${"ab".repeat(32)}"`
  writeFileSync(join(cwd, "many.rpc"), `### one of many\neth_getTransactionReceipt [${hash}]\n`.repeat(2500))
  const { code, stdout } = await startAt({ cwd }, "run", "many.rpc", "--dry-run").outcome
  expect(stdout.match(/one of many/g)).toHaveLength(1000)
  expect(stdout).toContain("… 1,500 more; --format json lists all\n200,000 credits in total; nothing was sent")
  expect(code).toBe(0)
})

describe("a table", () => {
  const columns = [{ name: "block", align: "right" as const }, { name: "address" }, { name: "event" }]
  const rows = [
    ["9007199254740993", "0x5fbdb2315678afecb367f032d93f642f64180aa3", "Transfer"],
    ["2", "", "an anonymous event"],
  ]
  const check = (width: number, expected: string) =>
    it(`in ${width} columns`, () => expect(textTable(columns, fitted(columns, rows, width), plain)).toBe(expected))
  check(
    88,
    [
      "               block  address                                     event",
      "    9007199254740993  0x5fbdb2315678afecb367f032d93f642f64180aa3  Transfer",
      "                   2                                              an anonymous event",
    ].join("\n"),
  )
  check(
    60,
    [
      "               block  address             event",
      "    9007199254740993  0x5fbdb23…64180aa3  Transfer",
      "                   2                      an anonymous event",
    ].join("\n"),
  )
  check(
    40,
    [
      "               block  address                                     event",
      "    9007199254740993  0x5fbdb2315678afecb367f032d93f642f64180aa3  Transfer",
      "                   2                                              an anonymous event",
    ].join("\n"),
  )
})

describe("the line of a diagnostic", () => {
  const check = (what: string, text: string, expected: ReadonlyArray<string>) =>
    it(what, () => {
      const [first] = parse(text).diagnostics
      const { fix: _, ...diagnostic }: Diagnostic = first ?? {
        code: "L001",
        severity: "error",
        message: "none",
        start: 0,
        end: 0,
      }
      expect(showDiagnostics("a.rpc", text, [diagnostic], plain).join("\n").split("\n").slice(1)).toEqual(expected)
    })
  check("is marked below", "###\n\teth_a [0x1]\n", ["  2 | \teth_a [0x1]", "    | \t       ^^^"])
  const [many, more] = ["0,".repeat(100), "0,".repeat(200)]
  check("is cut around the place where it is long", `###\neth_a [${many}0x1,${more}0]\n`, [
    `  2 | …${"0,".repeat(20)}0x1,${"0,".repeat(58)}…`,
    `    | ${" ".repeat(41)}^^^`,
  ])
  check("is cut behind the place at its beginning", `###\neth_a [0x1,${more}0]\n`, [
    `  2 | eth_a [0x1,${"0,".repeat(74)}0…`,
    `    | ${" ".repeat(7)}^^^`,
  ])
  check("is cut before the place at its end", `###\neth_a [${more}0x1]\n`, [
    `  2 | …${"0,".repeat(78)}0x1]`,
    `    | ${" ".repeat(157)}^^^`,
  ])
  check("is marked below wide characters", '###\neth_a ["转账", 0x1] // 🎈\n', [
    '  2 | eth_a ["转账", 0x1] // 🎈',
    `    | ${" ".repeat(15)}^^^`,
  ])
  check("is marked below an emoji and a letter with a mark of its own", '###\neth_a ["🎈e\u0301", 0x1]\n', [
    '  2 | eth_a ["🎈e\u0301", 0x1]',
    `    | ${" ".repeat(14)}^^^`,
  ])
  check("is marked as wide as it is", "###\neth_a [转账]\n", ["  2 | eth_a [转账]", "    |        ^^^^"])
  check("shows what steers a terminal", "###\n\u001B[2J\n", ["  2 | ␛[2J", "    | ^"])
})
