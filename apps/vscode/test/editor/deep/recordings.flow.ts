/** A request that is answered from a recording is not sent, and needs no key. */
import { test } from "node:test"

import { number, resultSays } from "../recorded.ts"
import { withWindow } from "../window.ts"

/** Its key is set nowhere. */
const keyed = JSON.stringify({
  networks: { evm: { plugin: "evm", url: "https://never-asked.invalid/{{$secret.NOWHERE}}" } },
})

test("a replay needs no key, node host", () =>
  withWindow(
    {
      name: "recordings-key-node",
      extensionHost: "node",
      files: { "number.rpc": number, "rpc.config.json": keyed, "recordings/note.txt": "" },
    },
    async (workbench) => {
      await workbench.openFile("number.rpc")
      await workbench.until("the key is missed", async () => (await workbench.squiggles().count()) > 0)
      await workbench.runCommand("dotrpc: Replay Runs from Recordings…")
      await workbench.choose("recordings")
      await workbench.until("the key is not needed", async () => (await workbench.squiggles().count()) === 0)
      await workbench.clickLens("Run · 0 credits · replayed")
      await resultSays(workbench, /^✗ .*is recorded/)
    },
  ))
