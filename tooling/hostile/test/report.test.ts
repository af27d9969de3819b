/** A report as a page, of requests whose names are markup, in a real browser. */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { launchBrowser } from "@dotrpc/vscode-host"
import { expect, it } from "vitest"
import { dotrpc } from "../src/Command.ts"
import { makeProject } from "../src/Project.ts"

const label = "<img src=https://elsewhere.example/x onerror=document.title='hurt'>"

it("a browser shows the rows and the chart of a report, and loads and runs nothing", async () => {
  using project = makeProject({
    "a.rpc": `### ${label}\n# @network evm\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0xff" }]\n`,
  })
  const args = ["run", "a.rpc", "--output", "report.html"]
  const { code } = await dotrpc(args, project.place, { seconds: 60, megabytes: 1_000 })
  expect(code).toBe(0)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(0)
    const asked: Array<string> = []
    const said: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))
    page.on("console", (message) => said.push(message.text()))
    const url = pathToFileURL(join(project.folder, "report.html")).href
    await page.goto(url)
    expect(await page.getByRole("heading", { name: "✓ All good" }).isVisible()).toBe(true)
    expect(await page.getByRole("img", { name: /^rows per/ }).isVisible()).toBe(true)
    expect(await page.locator("tbody tr").count()).toBeGreaterThan(100)
    expect(await page.locator("h3").textContent()).toContain(label)
    expect([await page.locator("img").count(), await page.title()]).toEqual([0, "dotrpc: all good"])
    expect([asked, said]).toEqual([[url], []])
  } finally {
    await browser.close()
  }
})
