/** The built server in a real Neovim, set up with the very lines that docs/editors.md gives for the installed version. */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { test } from "node:test"

import { longest, patience } from "@dotrpc/vscode-host/suite"

import { binary } from "../process.ts"

interface Answers {
  readonly problem?: string
  readonly filetype: string
  readonly diagnostics: ReadonlyArray<{ readonly line: number; readonly column: number; readonly message: string }>
  readonly completion: ReadonlyArray<{ readonly label: string; readonly detail?: string }>
  readonly hover: { readonly contents: { readonly value: string } }
  readonly definition: { readonly uri: string; readonly range: { readonly start: { readonly line: number } } }
  readonly links: ReadonlyArray<{ readonly target: string }>
  readonly rename: { readonly changes: Readonly<Record<string, ReadonlyArray<{ readonly newText: string }>>> }
  readonly actions: ReadonlyArray<{ readonly title: string }>
  readonly formatting: ReadonlyArray<{ readonly newText: string }>
}

const root = join(import.meta.dirname, "../../../..")

/** Opens a file in Neovim as a person would have set it up, and asks the server that it starts. */
const askInNeovim = (): Answers => {
  const version = /^NVIM v(\d+)\.(\d+)/m.exec(spawnSync("nvim", ["--version"], { encoding: "utf8" }).stdout ?? "")
  assert.ok(version !== null, "nvim is not installed, and this suite runs in a real one: apt-get install -y neovim")

  const [recent = "", older = ""] = [
    ...readFileSync(join(root, "docs/editors.md"), "utf8").matchAll(/```lua\n([^]*?)```/g),
  ].map(([, code]) => code ?? "")
  const isRecent = Number(version[1]) > 0 || Number(version[2]) >= 11

  const folder = mkdtempSync(join(tmpdir(), "dotrpc-neovim-"))
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  try {
    const answersFile = join(folder, "answers.json")
    // The settings name `dotrpc`, as a person would have it on the PATH.
    chmodSync(write("dotrpc", `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`), 0o755)
    write("rpc.config.json", '{ "networks": { "here": { "plugin": "evm", "url": "embedded:evm" } } }')
    write("shared.rpc", "### All\n# @name logs\n# @network here\neth_getLogs [{}]\n")
    const file = write(
      "requests.rpc",
      '# @import ./shared.rpc\n### Logs\neth_getLogs  [{ "blockhash": "0x1" }]\n###\neth_getTransactionReceipt [{{ logs.result[0].transactionHash }}]\n',
    )
    const run = spawnSync(
      "nvim",
      [
        "--headless",
        "--clean",
        "-u",
        write("init.lua", isRecent ? recent : older),
        file,
        "-c",
        `luafile ${join(import.meta.dirname, "neovim.lua")}`,
      ],
      {
        encoding: "utf8",
        timeout: longest,
        env: {
          ...process.env,
          PATH: `${folder}${delimiter}${process.env.PATH ?? ""}`,
          HOME: folder,
          XDG_STATE_HOME: folder,
          XDG_CACHE_HOME: folder,
          DOTRPC_ANSWERS: answersFile,
          DOTRPC_PATIENCE: String(patience),
        },
      },
    )
    assert.equal(run.error, undefined, String(run.error))
    assert.equal(run.status, 0, run.stderr)
    return JSON.parse(readFileSync(answersFile, "utf8")) as Answers
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test("the server does in Neovim what the documents say", (context) => {
  const answers = askInNeovim()
  assert.equal(answers.problem, undefined, answers.problem)
  assert.equal(answers.filetype, "rpc")

  const check = (what: string, hold: () => void): void => {
    hold()
    context.diagnostic(what)
  }
  check("shows diagnostics where they are", () => {
    assert.match(answers.diagnostics[0]?.message ?? "", /did you mean "blockHash"/)
    assert.deepEqual([answers.diagnostics[0]?.line, answers.diagnostics[0]?.column], [2, 16])
  })
  check("completes the keys of a filter", () => {
    assert.ok(answers.completion.some(({ label }) => label === "fromBlock"))
  })
  check("hovers with the price and the network of the configuration", () => {
    assert.match(answers.hover.contents.value, /^\*\*eth_getLogs\*\* · 255 credits · network here/)
  })
  check("finds a definition in an imported file, and the way there", () => {
    assert.match(answers.definition.uri, /\/shared\.rpc$/)
    assert.equal(answers.definition.range.start.line, 1)
    assert.match(answers.links[0]?.target ?? "", /\/shared\.rpc$/)
  })
  check("renames in every file", () => {
    assert.deepEqual(
      Object.values(answers.rename.changes).map((edits) => edits.map(({ newText }) => newText)),
      [["all"], ["all"]],
    )
  })
  check("offers to repair", () => {
    assert.ok(answers.actions.some(({ title }) => title === 'Rename to "blockHash"'))
  })
  check("formats with the smallest changes", () => {
    assert.deepEqual(
      answers.formatting.map(({ newText }) => newText),
      ["\n", "", "\n", "", ""],
    )
  })
})
