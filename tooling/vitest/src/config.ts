import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** Only where there are property tests: loading their library takes time. */
const hasPropertyTests = readFileSync("package.json", "utf8").includes('"fast-check"')

/** The one test configuration: sources are resolved directly, so a test never runs against a stale build. */
export default defineConfig({
  resolve: { conditions: ["dotrpc-source", "module", "node"] },
  ssr: { resolve: { conditions: ["dotrpc-source", "module", "node"] } },
  test: {
    include: ["test/**/*.test.ts"],
    // Loading the sources takes longer than most files of tests: they are loaded once, so files share the state of modules.
    isolate: false,
    // Rows show times where the reader is, and expected ones are written down for this zone.
    env: { TZ: "UTC" },
    setupFiles: hasPropertyTests ? [fileURLToPath(new URL("seed.ts", import.meta.url))] : [],
    // Ends what hangs; on a busy machine a test may take many times as long as on an idle one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
})
