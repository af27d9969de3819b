/** The packed extension in a real VS Code: a folder of bombs, and a server that says whatever it likes. */
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { importBombs, textBombs } from "@dotrpc/bombs"
import { editorText } from "@dotrpc/session"
import { type PackedExtension, runInHost, withWorkbench } from "@dotrpc/vscode-host"
import { isDeep } from "@dotrpc/vitest/depth"
import { beforeAll, expect, it } from "vitest"
import { asks, type Case } from "../src/Case.ts"
import { startHostileServer } from "../src/HostileServer.ts"
import type { ExpectedBomb, ExpectedBombs } from "../src/inHost/askBombs.ts"
import { key } from "../src/Key.ts"
import { well } from "../src/Project.ts"
import { lightGroups } from "../src/replies/index.ts"
import { keyIn, steeringIn } from "../src/Sight.ts"

const folder = dirname(createRequire(import.meta.url).resolve("dotrpc/package.json"))
const packed: PackedExtension = { id: "dotrpc.dotrpc", vsix: join(folder, "dist/dotrpc.vsix") }

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ["package.ts"], { cwd: folder })
})

const inside = `### Inside\n# @network evm\n# @name inside\n${asks.storage}\n`

/** What the editor has to make of a text, by what is tested of texts elsewhere. */
const expectedOf = (text: string): ExpectedBomb => {
  const { parsed, refused } = editorText(text)
  if (text.trim() === "") return { lenses: 1, first: "Begin with a request" }
  if (refused !== undefined) return { lenses: 1, first: refused }
  const calls = parsed.tree.sections.filter(({ call }) => call !== undefined)
  return { lenses: calls.length, ...(calls.length === 0 ? {} : { first: "Run" }) }
}

/** What keeps an editor from analysing a text, whichever place of it is named. */
const kindOf = (text: string): string => editorText(text).refused?.replace(/\d+/g, "") ?? "analysed"

/** A window takes a second for each, and of those that an editor does not analyse it learns no more than that. */
const mostRefused = isDeep ? 2 : 1

/** Of those that an editor analyses, a landing opens these. */
const analysed = new Set(["list-nested", "chain-of-variables", "open-0-in-params", "members", "one-string", "controls"])

/**
 * Every other one that an editor analyses, or one of some kinds, and some for each reason that it does not analyse one; the language
 * server and the watchdog of the extension are given all of them.
 */
const chosen = (): ReadonlyArray<readonly [path: string, text: string]> => {
  const counts = new Map<string, number>()
  const alone = textBombs
    .map(({ name, text }) => [`bombs/${name}.rpc`, text()] as const)
    // An editor takes a file with such a byte for a binary one, and shows no extension what is in it.
    .filter(([, text]) => !text.includes("\0"))
    .filter(([path, text]) => {
      const kind = kindOf(text)
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (kind !== "analysed") return count <= mostRefused
      return isDeep ? count % 2 === 1 : analysed.has(basename(path, ".rpc"))
    })
  const together = (isDeep ? importBombs : importBombs.slice(0, 1)).flatMap(({ files, name }) =>
    Object.entries(files()).map(([path, text]) => [`bombs/${name}/${path}`, text] as const),
  )
  return [...alone, ...together]
}

const unwatched = new URL("../src/inHost/bombs.ts", import.meta.url)
const watched = new URL("../src/deep/inHost/bombs.ts", import.meta.url)

it("opens bombs of every kind, says of each what it should, and keeps answering", { retry: 1 }, async () => {
  const bombs = chosen()
  const expected: ExpectedBombs = Object.fromEntries(bombs.map(([path, text]) => [path, expectedOf(text)]))
  const lines: Array<string> = []
  await runInHost({
    entry: fileURLToPath(isDeep ? watched : unwatched),
    extensions: [packed],
    files: { ...Object.fromEntries(bombs), "well.rpc": inside, "expected.json": JSON.stringify(expected) },
    report: (line) => lines.push(line),
  })
  expect(lines).toEqual([expect.stringMatching(/^ok .*every bomb/), expect.stringMatching(/^ok .*a command/)])
})

/** Text and keys in each place that a result is drawn in, and what stands there instead. */
const shown: Readonly<Record<string, string>> = {
  "steering-in-an-error-message": "␛[31mred",
  "steering-in-columns-of-a-misfit": "␛[31mred",
  "steering-in-more-members-of-a-log": "anonymous",
  "echo-in-an-error-message-as-base64": "•••",
  "echo-in-a-valid-result-as-percent-encoding": "anonymous",
  "echo-in-columns-of-a-misfit-as-upper-case": "•••",
}
const cases: ReadonlyArray<Case> = Object.values(lightGroups)
  .flat()
  .filter(({ name }) => Object.hasOwn(shown, name))

/** Where the extension shortens a text, it keeps both sides of the mark on one line. */
const ownMark = "\u2060…\u2060"

it("shows nothing that steers, and no key", { retry: 1 }, async () => {
  expect(cases).toHaveLength(Object.keys(shown).length)
  await using server = await startHostileServer([...cases, well])
  const networks = Object.fromEntries(
    [...cases, well].map(({ name }) => [name, { plugin: "evm", url: `${server.origin}/${name}/v3/${key}` }]),
  )
  const section = ({ ask = asks.storage, name }: Case) => `### ${name}\n# @network ${name}\n# @retry 0\n${ask}\n`
  const files = {
    "hostile.rpc": [...cases, well].map(section).join("\n"),
    "rpc.config.json": JSON.stringify({ networks }),
  }
  await withWorkbench({ name: "hostile", extensions: [packed], files }, async (workbench) => {
    await workbench.openFile("hostile.rpc")
    await workbench.lensTitles()
    await workbench.runCommand("dotrpc: Run All Requests in File")
    await workbench.until("the last request is answered", () => Promise.resolve(server.calls("well").length > 0))
    await workbench.inlineThreadText()
    const { page } = workbench
    const results = new Set<string>()
    for (let line = 1; line <= cases.length * 5; line += 10) {
      await workbench.goToLine(line)
      const seen = await page.locator("body").innerText()
      expect(steeringIn(seen.replaceAll(ownMark, "…"))).toEqual([])
      expect(keyIn(seen, key)).toBeUndefined()
      expect(keyIn(await page.content(), key)).toBeUndefined()
      for (const text of await page.locator(".review-widget").allInnerTexts()) results.add(text)
    }
    for (const [name, words] of Object.entries({ ...shown, well: "✓ well" })) {
      const own = [...results].filter((text) => text.includes(`${name} ·`))
      expect(own).not.toEqual([])
      for (const text of own) expect(text).toContain(words)
    }
    await workbench.screenshot("after-run")
  })
})
