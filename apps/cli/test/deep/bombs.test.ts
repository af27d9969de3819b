/** Files and projects that are made to hang or overflow `check`: more of them than a landing tries. */
import { folderBombs, textBombs } from "@dotrpc/bombs"
import { describe, it } from "vitest"
import { checkFolder, checkText } from "../bombCheck.ts"

/** Of the texts, those that once did not end; the analysis is tested with all of them. */
const texts = new Set([
  "text-doubled",
  "list-doubled",
  "integer-squared",
  "chain-of-variables",
  "many-broken-sections",
  "many-addresses",
  "many-unknown-names",
  "same-member",
  "one-string-of-wrong-escapes",
])

const folders = new Set([
  "pipe-as-main.rpc",
  "zero-as-imported.rpc",
  "vast-as-rpc.config.json",
  "loop-as-.env",
  "config-nested",
  "config-of-names",
  "config-of-plugins",
  "config-of-abi-patterns",
  "config-of-wrong-networks",
  "import-chain",
  "import-diamonds",
  "import-doubles",
  "import-fan",
  "link-up",
])

describe("a bomb is checked to its end", () => {
  it.each(textBombs.filter(({ name }) => texts.has(name)))("in the text $name", (bomb) => checkText(bomb))
  it.each(folderBombs.filter(({ name }) => folders.has(name)))("in the project $name", (bomb) => checkFolder(bomb))
})
