/** An entry runs inside each extension host, beside the extension that is tested. */
import { deepEqual } from "node:assert/strict"
import { fileURLToPath } from "node:url"
import { test } from "node:test"

import { bothHosts, runInHost } from "../../src/index.ts"
import { packProbe } from "../pack.ts"

const entry = fileURLToPath(new URL("../probe/inHost.ts", import.meta.url))

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
