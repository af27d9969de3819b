/** An entry runs inside each extension host, beside the extension that is tested. */
import { deepEqual, rejects } from "node:assert/strict"
import { fileURLToPath } from "node:url"
import { test } from "node:test"

import { bothHosts, runInHost } from "../../src/index.ts"
import { packProbe } from "../pack.ts"

const entryAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const entry = entryAt("../probe/inHost.ts")

for (const extensionHost of bothHosts) {
  test(`an entry runs inside the ${extensionHost} host`, async () => {
    await using probe = await packProbe()
    const files = { "inner/sample.json": '{ "text": "word",\n  "number": 12 }\n' }
    const lines: Array<string> = []
    await runInHost({ entry, extensionHost, extensions: [probe], files, report: (line) => void lines.push(line) })
    deepEqual(
      lines.map((line) => line.split(" ")[0]),
      ["ok", "ok"],
    )
  })
}

test("an entry that fails is a failure here, with its reason", async () => {
  const run = runInHost({ entry: entryAt("../probe/failing.ts"), report: () => {} })
  await rejects(run, /not ok two is one: Error: expected 1, got 2/)
})
