/** The packed extension in a real VS Code: bombs, and a server that says whatever it likes. */
import { textBombs } from "@dotrpc/bombs"
import { withWorkbench } from "@dotrpc/vscode-host"
import { expect, it } from "vitest"
import { asks, type Case } from "../src/Case.ts"
import { startHostileServer } from "../src/HostileServer.ts"
import { key } from "../src/Key.ts"
import { packExtension } from "../src/Packed.ts"
import { well } from "../src/Project.ts"
import { lightGroups } from "../src/replies/index.ts"
import { keyIn, steeringIn } from "../src/Sight.ts"

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

/** Deep runs have all of them, in the extension host alone. */
const bombs = textBombs.filter(({ name }) => name === "list-nested" || name === "members")

/** What an editor says above a bomb. */
const refusal = "which is more than the editor analyses"

/** Where the extension shortens a text, it keeps both sides of the mark on one line. */
const ownMark = "\u2060…\u2060"

it("outlives bombs, and shows nothing that steers, and no key", { retry: 1 }, async () => {
  expect(cases).toHaveLength(Object.keys(shown).length)
  await using server = await startHostileServer([...cases, well])
  const networks = Object.fromEntries(
    [...cases, well].map(({ name }) => [name, { plugin: "evm", url: `${server.origin}/${name}/v3/${key}` }]),
  )
  const section = ({ ask = asks.storage, name }: Case) => `### ${name}\n# @network ${name}\n# @retry 0\n${ask}\n`
  expect(bombs).toHaveLength(2)
  const files = {
    ...Object.fromEntries(bombs.map(({ name, text }) => [`${name}.rpc`, text()])),
    "hostile.rpc": [...cases, well].map(section).join("\n"),
    "rpc.config.json": JSON.stringify({ networks }),
  }
  await withWorkbench({ name: "hostile", extensions: [await packExtension()], files }, async (workbench) => {
    for (const { name } of bombs) {
      await workbench.openFile(`${name}.rpc`)
      await workbench.waitForText(refusal)
    }
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
