/** An `.rpc` file and a fence in Markdown are coloured. */
import { readFile } from "node:fs/promises"
import { test } from "node:test"

import { withFolder } from "./window.ts"

const text = await readFile(new URL("../grammar/sample.rpc", import.meta.url), "utf8")
const files = { "sample.rpc": text, "notes.md": 'Plain words\n\n```rpc\n### Head\neth_call [100, "inside"]\n```\n' }

test("the parts of a file and of a fence have colours of their own", () =>
  withFolder({ name: "colours", files }, async (workbench) => {
    const distinct = async (...texts: ReadonlyArray<string>): Promise<boolean> => {
      const colours = await Promise.all(texts.map((part) => workbench.colourOf(part)))
      return !colours.includes(undefined) && new Set(colours).size === texts.length
    }
    await workbench.openFile("sample.rpc")
    // Not the number of a directive: the server gives it the colour of a string.
    await workbench.until("title, comment, method, key, string and number differ", () =>
      distinct("Transfers of a token", "Anything before", "eth_getLogs", "address", "0x5fbdb", "100"),
    )
    // Some colours come from the language server, after those of the grammar.
    await workbench.until("a function and a variable differ", () => distinct("hex", "from"))
    // The server colours the mark of a directive apart from its name.
    await workbench.until("a directive and a comment differ", () => distinct("timeout", "Anything before"))
    await workbench.waitForText("RPC")
    await workbench.screenshot("file")

    await workbench.openFile("notes.md")
    await workbench.until("method, number, string and prose differ", () =>
      distinct("eth_call", "100", "inside", "Plain words"),
    )
    await workbench.screenshot("fence")
  }))
