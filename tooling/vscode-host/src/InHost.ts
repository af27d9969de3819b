/**
 * Runs a test entry inside VS Code's extension host, where `import "vscode"` works.
 *
 * The entry is bundled into one file, because the web worker host loads no second one, and becomes the tests of a small
 * extension that is made for the run. So what is tested is the packed extension, not its sources.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { format } from "node:util"

import { build } from "esbuild"
import type { Page } from "playwright-core"

import { launchBrowser, openPage } from "./Browser.ts"
import { startTestingHost, type Host, type HostOptions } from "./Host.ts"
import { longest } from "./Patience.ts"
import { extensionHostSettings, type ExtensionHost } from "./Settings.ts"

export interface InHostOptions extends HostOptions {
  /** A module that exports `run(): Promise<void>`, usually made with `runFlows`. */
  readonly entry: string
  /** Receives one line for each flow. */
  readonly report: (line: string) => void
}

/** Resolves when `run()` does; rejects with the console of the extension host when it rejects or takes too long. */
export async function runInHost(options: InHostOptions): Promise<void> {
  const extensionHost = options.extensionHost ?? "node"
  const ids = [driverId, ...(options.extensions ?? []).map((extension) => extension.id)]
  const settings = { ...options.settings, ...extensionHostSettings(ids, extensionHost) }
  await using host = await startTestingHost({ ...options, settings })
  const driver = join(host.root, "driver")
  await writeDriver(driver, options.entry, extensionHost)
  const browser = await launchBrowser()
  try {
    const page = await openPage(browser)
    await drive(page, host, driver, options.report)
  } finally {
    await browser.close()
  }
}

const driverId = "dotrpc.driver"

const driverManifest = {
  name: "driver",
  publisher: "dotrpc",
  version: "0.0.0",
  engines: { vscode: "^1.100.0" },
  main: "./idle.js",
  browser: "./idle.js",
}

async function writeDriver(folder: string, entry: string, extensionHost: ExtensionHost): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "package.json"), JSON.stringify(driverManifest))
  await writeFile(join(folder, "idle.js"), "exports.activate = () => {}\n")
  await build({
    entryPoints: [entry],
    outfile: join(folder, "entry.js"),
    bundle: true,
    format: "cjs",
    platform: extensionHost === "web" ? "browser" : "node",
    target: "es2023",
    conditions: ["dotrpc-source", "module"],
    external: ["vscode"],
    logLevel: "warning",
  })
}

/** The workbench calls two functions on its page: with each line of the console, and with the outcome of the run. */
async function drive(page: Page, host: Host, driver: string, report: (line: string) => void): Promise<void> {
  const console: Array<string> = []
  await page.exposeFunction("codeAutomationLog", (_level: string, parts: ReadonlyArray<unknown>) => {
    const line = format(...parts)
    console.push(line)
    if (/^(not )?ok /.test(line)) report(line)
  })
  const ended = Promise.withResolvers<number>()
  await page.exposeFunction("codeAutomationExit", ended.resolve)
  const patience = setTimeout(() => ended.reject(new Error("The run did not end.")), longest)
  const remote = (path: string): string => `vscode-remote://${host.authority}${path}`
  try {
    await page.goto(
      host.url(host.workspace, [
        ["extensionDevelopmentPath", remote(driver)],
        ["extensionTestsPath", remote(join(driver, "entry.js"))],
        ["skipWelcome", "true"],
      ]),
    )
    const code = await ended.promise
    if (code !== 0) throw new Error(`The run ended with ${code}.`)
  } catch (error) {
    throw new Error(`${String(error)} The extension host said:\n${console.join("\n")}`, { cause: error })
  } finally {
    clearTimeout(patience)
  }
}
