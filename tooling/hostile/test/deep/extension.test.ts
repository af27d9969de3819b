/** The packed extension in the extension host of a real VS Code: a folder of bombs of every kind. */
import { fileURLToPath } from "node:url"
import { importBombs, textBombs } from "@dotrpc/bombs"
import { editorText } from "@dotrpc/session"
import { runInHost } from "@dotrpc/vscode-host"
import { expect, it } from "vitest"
import { asks } from "../../src/Case.ts"
import type { ExpectedBomb, ExpectedBombs } from "../../src/inHost/askBombs.ts"
import { packExtension } from "../../src/Packed.ts"

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
const mostRefused = 2

/**
 * Every other one that an editor analyses, and some for each reason that it does not analyse one; the language server and the
 * watchdog of the extension are given all of them.
 */
const chosen = (): ReadonlyArray<readonly [path: string, text: string]> => {
  const counts = new Map<string, number>()
  const alone = textBombs
    .map(({ name, text }) => [`bombs/${name}.rpc`, text()] as const)
    // An editor takes a file with such a byte for a binary one, and shows no extension what is in it.
    .filter(([, text]) => !text.includes("\0"))
    .filter(([, text]) => {
      const kind = kindOf(text)
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      return kind === "analysed" ? count % 2 === 1 : count <= mostRefused
    })
  const together = importBombs.flatMap(({ files, name }) =>
    Object.entries(files()).map(([path, text]) => [`bombs/${name}/${path}`, text] as const),
  )
  return [...alone, ...together]
}

it("opens bombs of every kind, says of each what it should, and keeps answering", { retry: 1 }, async () => {
  const bombs = chosen()
  const expected: ExpectedBombs = Object.fromEntries(bombs.map(([path, text]) => [path, expectedOf(text)]))
  const lines: Array<string> = []
  await runInHost({
    entry: fileURLToPath(new URL("../../src/deep/inHost/bombs.ts", import.meta.url)),
    extensions: [await packExtension()],
    files: { ...Object.fromEntries(bombs), "well.rpc": inside, "expected.json": JSON.stringify(expected) },
    report: (line) => lines.push(line),
  })
  expect(lines).toEqual([expect.stringMatching(/^ok .*every bomb/), expect.stringMatching(/^ok .*a command/)])
})
