/** Foreign text shows as it is in every place outside a document: no icon, no link, no character that is not seen. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { describe, expect, it } from "vitest"
import { Range } from "vscode"

import * as Shown from "../../src/Shown.ts"
import { given } from "./editor.ts"

const hostile =
  "$(check) 1 row [Sign in](command:workbench.action.terminal.new) [x](https://evil.example)\u001b[2J\u009b31m\u202etxt\u200b\u2028b\u0000"

/** How each place gets its text; the extension's own text may have icons. */
const places: Readonly<Record<string, (text: string) => unknown>> = {
  "an error": Shown.showError,
  "an error that was thrown": (text) => Shown.showError(new Error(text)),
  "a warning": Shown.showWarning,
  "a piece of information": Shown.showInformation,
  "a question": (text) => Shown.agrees(text, "Send", text),
  "what was done": Shown.showDone,
  "a list to choose from": (text) =>
    Shown.pick([{ label: text, description: text, detail: text, value: 1 }], { title: text, placeHolder: text }),
  "a line to fill in": (text) => Shown.askText({ title: text }),
  "what takes long": (text) =>
    Shown.showWorking(text, (say) => {
      say(text)
      return Promise.resolve()
    }),
  "what stands above a line": (text) =>
    Shown.lensAt(new Range(0, 0, 0, 0), { title: text, command: "dotrpc.run", tooltip: text }),
  "the status bar": (text) => Shown.statusEntry("id", "name", 1, "dotrpc.run").show("pulse", text, text),
  "what stands below a cell": (text) => Shown.cellStatus("error", text, text),
  "an error of a cell": Shown.cellError,
  "a view": (text) => Shown.treeItem({ label: text, description: text, tooltip: text, spoken: text }),
  "why a test failed": (text) => Shown.testMessage(text, { expected: text, actual: text }),
  "the output": (text) => {
    const log = Shown.logTo({ info: (line) => given.push(line), error: (line) => given.push(line) })
    log.info(text)
    log.error(text)
  },
  "a name of something": (text) => given.push(Shown.plain(text)),
}

const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}

describe("foreign text shows as it is in", () => {
  it.each(Object.keys(places))("%s", async (place) => {
    given.length = 0
    await places[place]?.(hostile)
    const shown = given.flatMap(textsIn).filter((text) => text.includes("1 row"))
    expect(shown.length).toBeGreaterThan(0)
    for (const text of shown) {
      // An icon of the extension's own comes first.
      expect(text.replace(/^\$\([\w-]+\) /, "")).not.toContain("$(")
      expect(text).not.toMatch(/\]\(/)
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(text).toContain("Sign in")
    }
  })
})

/** What shows text, as the sources write it. */
const surfaces =
  /window\.(?:show(?:Error|Warning|Information)Message|showQuickPick|showInputBox|setStatusBarMessage|createStatusBarItem|withProgress|createQuickPick|createInputBox)|new vscode\.(?:CodeLens|InlayHint|TreeItem|TestMessage|NotebookCellStatusBarItem|Hover)\b|NotebookCellOutputItem\.(?:error|stdout|stderr)/

it("text leaves for the editor's own surfaces through one file", () => {
  const folder = join(import.meta.dirname, "../../src")
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
  expect(files.filter((file) => surfaces.test(readFileSync(join(folder, file), "utf8")))).toEqual(["Shown.ts"])
})
