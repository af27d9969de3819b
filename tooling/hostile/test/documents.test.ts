/** Documents of other tools that are made to hang, overflow or speak for anyone who imports them. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Bounds, dotrpc } from "../src/Command.ts"
import { recordFigure } from "../src/Figures.ts"
import { makeProject, type Project } from "../src/Project.ts"
import { wrongOutcome } from "../src/Verdict.ts"

const bounds: Bounds = { seconds: 20, megabytes: 1_000 }
/** All is well, something is to be formatted, or something is wrong with the document. */
const codes = new Set([0, 1, 2])

let project: Project
beforeAll(() => void (project = makeProject({ "rpc.config.json": "{}" })))
afterAll(() => project[Symbol.dispose]())

const fence = "```rpc\neth_getLogs [{}]\n```\n"

const markdown: Readonly<Record<string, () => string>> = {
  "quotation-marks": () => `${">".repeat(20_000)} a\n`,
  "lists-in-lists": () => Array.from({ length: 3_000 }, (_, level) => `${"  ".repeat(level)}- a\n`).join(""),
  "list-marks": () => `${"- ".repeat(100_000)}a\n`,
  "lines-below-a-deep-list": () =>
    Array.from({ length: 90 }, (_, level) => `${"  ".repeat(level)}- a\n`).join("") +
    `${" ".repeat(180)}a\n`.repeat(50_000),
  fences: () => `${fence}\n`.repeat(8_000),
  "open-fences": () => "```rpc\n".repeat(50_001),
  brackets: () => `a ${"[".repeat(100_000)}\n\n${fence}`,
  asterisks: () => `a ${"*a ".repeat(50_000)}\n\n${fence}`,
  "links-to-nowhere": () => `a ${"[a](".repeat(50_000)}\n\n${fence}`,
  definitions: () => Array.from({ length: 10_000 }, (_, index) => `[a${index}]: <b`).join("\n"),
}

const http: Readonly<Record<string, () => string>> = {
  "blanks-in-a-title": () => `### a${" ".repeat(60_000)}b\nPOST https://node.example\n\n{}\n`,
  "blanks-in-a-variable": () => `@a =${" ".repeat(60_000)}b\nPOST https://node.example\n`,
  "blanks-in-a-request-line": () => `POST${" ".repeat(60_000)}https://node.example${" ".repeat(60_000)}x\n`,
  "placeholders-in-an-address": () =>
    `POST https://node.example/${Array.from({ length: 20_000 }, (_, index) => `{{a${index}}}`).join("/")}\n`,
  "many-requests": () =>
    Array.from(
      { length: 5_000 },
      (_, index) => `### r${index}\nPOST https://n${index}.example\n\n{"method":"m","params":[${index}]}\n`,
    ).join("\n"),
}

const openRpc = (schema: unknown, schemas: unknown = {}, example?: unknown): string =>
  JSON.stringify({
    openrpc: "1.2.6",
    info: { title: "Hostile", version: "1" },
    methods: [
      {
        name: "a",
        params: [{ name: "p", required: true, schema }],
        result: { name: "r", schema: {} },
        ...(example === undefined ? {} : { examples: [{ name: "e", params: [{ name: "p", value: example }] }] }),
      },
    ],
    components: { schemas },
  })
const a = { $ref: "#/components/schemas/A" }
const nested = (depth: number): unknown => (depth === 0 ? "x" : [nested(depth - 1)])

const documents: Readonly<Record<string, () => string>> = {
  "choices-of-lists": () =>
    openRpc(
      a,
      { A: { anyOf: [{ type: "number" }, { type: "array", items: a }, { type: "array", items: a }] } },
      nested(26),
    ),
  "choice-of-itself": () => openRpc(a, { A: { anyOf: [a, { type: "string" }] } }),
  "all-of-itself": () => openRpc(a, { A: { allOf: [a, a] } }),
  "two-billion-items": () => openRpc({ type: "array", items: {}, minItems: 2_000_000_000 }),
  "two-billion-letters": () => openRpc({ type: "string", minLength: 2_000_000_000 }),
  "long-pattern": () => openRpc({ type: "string", pattern: `^(${"a".repeat(400_000)})$` }),
  "pattern-of-choices": () =>
    openRpc({
      type: "string",
      pattern: Array.from({ length: 900 }, (_, index) => `${String.fromCharCode(0x4e00 + index)}?`).join(""),
    }),
  "names-with-lines": () =>
    openRpc({
      type: "object",
      properties: { "a\ndotrpc: all is well, now run this": { $ref: "#/none\n::error::x" } },
      required: ["b\u001B[2J\u202Ec"],
    }),
  "not-a-document": () => "[".repeat(100_000),
}

/** Of the documents that are read one at a time, a landing tries these; of those that are read together, all. */
const chosen = new Set(["blanks-in-a-request-line", "many-requests", "choices-of-lists", "names-with-lines"])

describe.concurrent("documents", () => {
  const wrongWith = async (
    files: ReadonlyArray<string>,
    args: ReadonlyArray<string>,
  ): Promise<ReadonlyArray<string>> => {
    const outcome = await dotrpc([...args, ...files], project.place, bounds)
    recordFigure("documents of other tools", `${args.join(" ")} ${files.join(" ")}`, outcome)
    const said = outcome.stdout + outcome.stderr
    return [
      ...wrongOutcome(outcome, bounds, codes),
      ...(said.includes("internal error") ? ["it takes the document for a mistake of its own"] : []),
      ...(/^dotrpc: all is well/m.test(said) ? ["the document speaks for dotrpc"] : []),
    ]
  }
  const write = (documents: Readonly<Record<string, () => string>>, extension: string): ReadonlyArray<string> =>
    Object.entries(documents).map(([name, text]) => {
      writeFileSync(join(project.folder, `${name}.${extension}`), text())
      return `${name}.${extension}`
    })

  /** One process reads all of them; where something is wrong with that, or all is tried, each has its own. */
  const checkTogether = (...args: ReadonlyArray<string>) =>
    it(`Markdown: dotrpc ${args.join(" ")}`, async () => {
      const files = write(markdown, "md")
      const together = await wrongWith(files, args)
      if (together.length === 0 && !isDeep) return
      const alone: Array<string> = []
      for (const file of files) alone.push(...(await wrongWith([file], args)).map((what) => `${file}: ${what}`))
      expect({ together, alone }).toEqual({ together: [], alone: [] })
    })
  checkTogether("check")
  checkTogether("fmt", "--check")
  checkTogether("run", "--dry-run")

  const checkAlone = (name: string, extension: string, text: () => string, ...args: ReadonlyArray<string>) =>
    it(`${name}.${extension}: dotrpc ${args.join(" ")}`, async () => {
      const named = args[1] === "openrpc" ? ["--name", name] : []
      expect(await wrongWith([...write({ [name]: text }, extension), ...named], args)).toEqual([])
    })
  const tried = (texts: Readonly<Record<string, () => string>>) =>
    Object.entries(texts).filter(([name]) => isDeep || chosen.has(name))
  for (const [name, text] of tried(http)) checkAlone(name, "http", text, "import", "http")
  for (const [name, text] of tried(documents)) checkAlone(name, "json", text, "import", "openrpc")
})
