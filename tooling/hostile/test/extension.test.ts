/** The packed extension in a real VS Code: a folder of bombs, and a server that says whatever it likes. */
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { textBombs } from "@dotrpc/bombs"
import { type PackedExtension, runInHost, withWorkbench } from "@dotrpc/vscode-host"
import { beforeAll, expect, it } from "vitest"
import { asks, type Case } from "../src/Case.ts"
import { startHostileServer } from "../src/HostileServer.ts"
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

it("opens bombs, and keeps answering", { timeout: 240_000 }, async () => {
  // A window takes a while for each; the language server is given all of them elsewhere.
  const some = textBombs.filter((_, index) => index % 3 === 0)
  const texts = some.map(({ name, text }) => [`bombs/${name}.rpc`, text()] as const)
  // An editor takes a file with such a byte for a binary one, and shows no extension what is in it.
  const files = Object.fromEntries(texts.filter(([, text]) => !text.includes("\0")))
  const lines: Array<string> = []
  await runInHost({
    entry: join(import.meta.dirname, "../src/inHost/bombs.ts"),
    extensions: [packed],
    files: { ...files, "well.rpc": inside },
    report: (line) => lines.push(line),
  })
  expect(lines).toHaveLength(2)
})

/** Text and keys in each place that a result is drawn in. */
const shown = [
  "steering-in-an-error-message",
  "steering-in-columns-of-a-misfit",
  "steering-in-more-members-of-a-log",
  "echo-in-an-error-message-as-base64",
  "echo-in-a-valid-result-as-percent-encoding",
  "echo-in-columns-of-a-misfit-as-upper-case",
]
const cases: ReadonlyArray<Case> = Object.values(lightGroups)
  .flat()
  .filter(({ name }) => shown.includes(name))

it("shows nothing that steers, and no key", { timeout: 240_000 }, async () => {
  expect(cases).toHaveLength(shown.length)
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
    for (let line = 1; line <= cases.length * 5; line += 10) {
      await workbench.goToLine(line)
      const seen = await page.locator("body").innerText()
      // The workbench and Markdown have marks without width of their own between words.
      expect(steeringIn(seen.replaceAll(/[\u200b-\u200d\u2060]/g, ""))).toEqual([])
      expect(keyIn(seen, key)).toBeUndefined()
      expect(keyIn(await page.content(), key)).toBeUndefined()
    }
    await workbench.screenshot("after-run")
  })
})
