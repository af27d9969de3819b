/** Plugins of a project's own: imported where the folder is trusted; what a browser cannot import is left out with a word. */
import { equal } from "node:assert/strict"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { runInHost } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"
import { lampFiles } from "./lamp.ts"
import { withWindow } from "./window.ts"

const shared = { extensions: [packed], files: lampFiles }
const entry = (name: string): string => fileURLToPath(new URL(`inHost/${name}.ts`, import.meta.url))

test("a trusted folder's plugin is loaded, and again when it changes", (context) =>
  runInHost({ ...shared, entry: entry("ownPlugins"), report: (line) => context.diagnostic(line) }))

test("a browser imports one that is one file, and leaves out others", (context) =>
  runInHost({
    ...shared,
    extensionHost: "web",
    entry: entry("browserPlugins"),
    report: (line) => context.diagnostic(line),
  }))

test("a folder that is not trusted runs none of its code, until it is", () =>
  withWindow({ name: "untrusted", trust: "asked", files: lampFiles }, async (workbench) => {
    const ran = (): boolean => existsSync(join(workbench.workspace, "ran.txt"))
    await workbench.openFile("lamps.rpc")
    await workbench.until("the price of what can run", async () =>
      (await workbench.lensTitles()).some((title) => title.startsWith("Run · ~80 credits")),
    )
    await workbench.runCommand("Problems: Focus on Problems View")
    await workbench.waitForText("belongs to the project, and runs only in a folder that you trust")
    await workbench.screenshot("untrusted")
    equal(ran(), false)

    await workbench.page.getByText("Manage", { exact: true }).click()
    await workbench.page.getByRole("button", { name: "Trust", exact: true }).click()
    await workbench.page.getByRole("button", { name: /^Close Modal Editor/ }).click()
    await workbench.until("the price of the plugin", async () =>
      (await workbench.lensTitles()).some((title) => title.startsWith("Run · ~7 credits")),
    )
    equal(ran(), true)
  }))
