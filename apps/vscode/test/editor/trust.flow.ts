/** A folder that is not trusted: everything works but what needs a key or runs its code, until it is trusted. */
import { deepEqual, equal } from "node:assert/strict"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { startCountingServer } from "./CountingServer.ts"
import { lampFiles } from "./lamp.ts"
import { withWindow } from "./window.ts"

const requests = `### With a key
# @network keyed
# @name keyed
eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]

### Inside
# @network here
# @name inside
eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]

### Without a key
# @network open
# @name open
eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]
`

const configFor = (origin: string): string =>
  JSON.stringify({
    networks: {
      here: { plugin: "evm", url: "embedded:evm" },
      open: { plugin: "evm", url: `${origin}/rpc` },
      keyed: { plugin: "evm", url: `${origin}/v3/{{$secret.TRUST_KEY}}` },
    },
  })

for (const extensionHost of hosts) {
  test(`an untrusted folder reads no keys, ${extensionHost} host`, async () => {
    await using server = await startCountingServer()
    const files = {
      "some.rpc": requests,
      "rpc.config.json": configFor(server.origin),
      ".env": "TRUST_KEY=canary-2b7f19\n",
    }
    const options = {
      name: `trust-${extensionHost}`,
      extensionHost,
      files,
      trust: "asked",
    } as const
    await withWindow(options, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("some.rpc")
      await workbench.until("the request with a key is marked", async () => {
        const titles = await workbench.lensTitles()
        return titles.length === 3 && titles[0] === "Run · has errors"
      })
      await workbench.clickLens("Run · has errors")
      await workbench.waitForText('This folder is not trusted, so no keys are read, and "keyed" needs one.')
      await workbench.clickLens("Run · 80 credits", 1)
      await workbench.waitForText("open · 80 credits")
      await workbench.clickLens("Run · 80 credits", 0)
      await workbench.waitForText("inside · 80 credits")
      deepEqual(server.paths, ["/rpc"])
      equal((await page.content()).includes("canary-2b7f19"), false)
      await workbench.screenshot("restricted")

      if (extensionHost === "web") return
      await workbench.runCommand("Workspaces: Manage Workspace Trust")
      await page.getByRole("button", { name: "Trust", exact: true }).first().click()
      await page.getByRole("button", { name: /^Close Modal Editor/ }).click()
      await workbench.until("it can be run", async () =>
        (await workbench.lensTitles()).every((title) => title.startsWith("Run · 80 credits")),
      )
      await workbench.clickLens("Run · 80 credits", 0)
      await workbench.waitForText("keyed · 80 credits")
      deepEqual(server.paths, ["/rpc", "/v3/canary-2b7f19"])
    })
  })
}

test("a folder that is not trusted runs none of its code, until it is", () =>
  withWindow({ name: "untrusted", trust: "asked", files: lampFiles }, async (workbench) => {
    const ran = (): boolean => existsSync(join(workbench.workspace, "ran.txt"))
    await workbench.openFile("lamps.rpc")
    await workbench.until("the price of what can run", async () =>
      (await workbench.lensTitles()).some((title) => title.startsWith("Run · 80 credits")),
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
