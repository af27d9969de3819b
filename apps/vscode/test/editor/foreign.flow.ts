/** A configuration that becomes somebody else's while it is used. */
import { deepEqual } from "node:assert/strict"
import { chown } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { startCountingServer } from "./CountingServer.ts"
import { untilSeen } from "./untilSeen.ts"
import { withFolder } from "./window.ts"

const request = `### Without a key
# @network open
# @name open
eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]
`

const configFor = (origin: string): string =>
  JSON.stringify({ networks: { open: { plugin: "evm", url: `${origin}/rpc` } } })

/** Only the administrator, as whom most containers run, can make a file somebody else's. */
const canGiveAway = process.getuid?.() === 0

if (canGiveAway)
  test("a configuration that becomes another user's is not used any more, and says so", async () => {
    await using own = await startCountingServer()
    await using other = await startCountingServer()
    const files = {
      "some.rpc": request,
      "rpc.config.json": configFor(own.origin),
    }
    await withFolder({ name: "foreign", files }, async (workbench) => {
      await workbench.openFile("some.rpc")
      await workbench.clickLens("Run · 80 credits")
      await workbench.waitForText("open · 80 credits")
      deepEqual(own.paths, ["/rpc"])

      const config = join(workbench.workspace, "rpc.config.json")
      await chown(config, 12_345, 12_345)
      const changed = { path: config, text: configFor(other.origin) }
      await untilSeen(workbench, changed, "its networks are not known", async () =>
        (await workbench.lensTitles()).every((title) => title === "Run · has errors"),
      )
      await workbench.clickLens("Run · has errors")
      await workbench.waitForText("rpc.config.json belongs to another user (id 12345)")
      deepEqual([own.paths.length, other.paths.length], [1, 0])

      await workbench.runCommand("Problems: Focus on Problems View")
      await workbench.page.locator(".markers-panel", { hasText: "belongs to another user" }).waitFor()
      await workbench.screenshot("not-used")
    })
  })
