/** Backfills that were started in a terminal, in the view of the editor: how far they are, and what is done with them there. */
import { deepEqual, match } from "node:assert/strict"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import type { Workbench } from "@dotrpc/vscode-host"

import { startHeldGateway } from "./HeldGateway.ts"
import { command, homeOf, inTerminal } from "./terminal.ts"
import { withFolder, withWindow } from "./window.ts"

/** As people install it: a program in a folder that their profile adds to the `PATH`. */
const install = async (workbench: Workbench): Promise<void> => {
  const bin = join(homeOf(workbench), "bin")
  await mkdir(bin)
  await writeFile(join(bin, "dotrpc"), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`, { mode: 0o755 })
  for (const profile of [".profile", ".bash_profile"])
    await writeFile(join(homeOf(workbench), profile), `export PATH="${bin}:$PATH"\n`)
}

const logs = '### Logs\n# @name logs\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "finalized" }]\n'

const ignore = (): void => {}

const stateIn = async (workbench: Workbench): Promise<string> => {
  const [shown] = JSON.parse(
    await inTerminal(workbench, "backfill", "status", "--output", "data/logs", "--format", "json"),
  )
  return shown.state
}

test("a backfill of a terminal is seen, paused and resumed in the editor", async () => {
  // Of about fifteen calls: the backfill is still running when a busy machine shows it.
  await using gateway = await startHeldGateway(2)
  const files = {
    "logs.rpc": logs,
    "rpc.config.json": JSON.stringify({ networks: { evm: { plugin: "evm", url: gateway.url } }, ledger: "memory" }),
  }
  await withWindow({ name: "backfills", files }, async (workbench) => {
    const { page } = workbench
    await install(workbench)
    const rows = workbench.viewRows("data/logs")
    const says = (text: string) =>
      workbench.until(`the view says "${text}"`, async () =>
        (
          await rows
            .first()
            .innerText({ timeout: 1_000 })
            .catch(() => "")
        ).includes(text),
      )
    const press = async (button: string) => {
      await rows.first().hover()
      await rows.first().getByRole("button", { name: button }).click()
    }
    await workbench.runCommand("dotrpc: Focus on Backfills View")
    await workbench.waitForText("No folder of this window has a backfill.")

    // Where the test fails, its worker would go on in the background.
    await using _ends = {
      [Symbol.asyncDispose]: () =>
        inTerminal(workbench, "backfill", "cancel", "--output", "data/logs").then(ignore, ignore),
    }
    await inTerminal(workbench, "backfill", "start", "logs.rpc", "--output", "data/logs", "--detach", "--parallel", "2")
    await says("running")
    await workbench.viewRows("of 1,4").waitFor()
    match(
      (await rows.first().getAttribute("aria-label")) ?? "",
      /^data\/logs, backfill of eth_getLogs, running, [\d.]+ percent read, .*\d+ credits?/,
    )
    await workbench.viewRows("reads 1 piece").first().waitFor()
    await workbench.screenshot("running")

    await press("Pause Backfill")
    await says("paused")
    deepEqual(await stateIn(workbench), "paused")

    await press("Resume Backfill…")
    await workbench.waitForText("(eth_getLogs on evm).")
    await workbench.screenshot("asks")
    gateway.goOn()
    await page.getByRole("button", { name: "Resume", exact: true }).click()
    await says("100 % · done")
    deepEqual(await stateIn(workbench), "done")
    await workbench.openViewRow("rows", "_manifest.json")
    await workbench.screenshot("done")
  })
})

test("a browser shows how far backfills are, and what strangers wrote as it is", async () => {
  const status = JSON.parse(await readFile(new URL("./backfillStatus.json", import.meta.url), "utf8"))
  const fileOf = (change: object) => JSON.stringify({ ...status, ...change })
  const files = {
    "mine/.backfill/status.json": fileOf({}),
    "odd/.backfill/status.json": fileOf({ network: 7 }),
    "theirs/.backfill/status.json": fileOf({ why: "$(check) [done](command:workbench.action.quit)", state: "failed" }),
  }
  await withFolder({ name: "backfills-web", extensionHost: "web", files }, async (workbench) => {
    await workbench.runCommand("dotrpc: Focus on Backfills View")
    await workbench.viewRows("100 % · done · 336 credits").waitFor()
    await workbench.viewRows("its status cannot be read").waitFor()
    const theirs = workbench.viewRows("theirs").first()
    match((await theirs.getAttribute("aria-label")) ?? "", /failed, \$ \(check\) \[done\] \(command:workbench/)
    await workbench.waitForText("Pause and resume backfills in a terminal")
    await workbench.screenshot("shown")
  })
})
