/** Which command a key is for, in a text and in a notebook, on each system. */
import { readFileSync } from "node:fs"

import { describe, expect, test } from "vitest"

interface Keybinding {
  readonly command: string
  readonly key: string
  readonly mac?: string
  readonly when: string
}

const manifest: { readonly contributes: { readonly keybindings: ReadonlyArray<Keybinding> } } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
)

/** What the editor says of itself. */
type Context = Readonly<Record<string, string | true>>

const text: Context = { editorTextFocus: true, editorLangId: "rpc" }
const cell: Context = {
  ...text,
  notebookEditorFocused: true,
  notebookCellListFocused: true,
  notebookType: "dotrpc-notebook",
  notebookCellType: "code",
}

/** Of the conditions of the manifest: `a`, `!a`, `a == b`, joined by `&&`. */
const holds = (when: string, context: Context): boolean =>
  when.split(" && ").every((term) => {
    const [name = "", value] = term.split(" == ")
    if (value !== undefined) return context[name] === value
    return name.startsWith("!") ? context[name.slice(1)] === undefined : context[name] !== undefined
  })

const check = (system: "mac" | "other", key: string, context: Context, expected: ReadonlyArray<string>) => {
  const found = manifest.contributes.keybindings.filter(
    (binding) =>
      (system === "mac" ? (binding.mac ?? binding.key) : binding.key) === key && holds(binding.when, context),
  )
  expect(found.map(({ command }) => command)).toEqual(expected)
}

describe("the key that runs", () => {
  test("is for the request at the cursor in a text", () => {
    check("other", "ctrl+enter", text, ["dotrpc.run"])
    check("mac", "cmd+enter", text, ["dotrpc.run"])
  })

  test("is for the cell in a notebook, and for nothing beside it", () => {
    check("other", "ctrl+enter", cell, ["notebook.cell.execute"])
    check("mac", "cmd+enter", cell, ["notebook.cell.execute"])
    check("other", "ctrl+alt+enter", cell, [])
  })

  test("is for the chosen run in the view of runs", () => {
    check("other", "ctrl+enter", { focusedView: "dotrpc.history" }, ["dotrpc.runFromHistory"])
    check("other", "ctrl+enter", { focusedView: "workbench.explorer" }, [])
  })

  test("ends the writing of a title", () => {
    const title = { ...cell, notebookCellType: "markup" }
    check("other", "ctrl+enter", title, ["notebook.cell.quitEdit"])
    check("mac", "cmd+enter", title, ["notebook.cell.quitEdit"])
  })

  test("is left alone in the notebooks of others", () => {
    check("other", "ctrl+enter", { ...cell, notebookType: "jupyter-notebook" }, [])
  })
})
