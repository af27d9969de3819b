import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { configDefaults, defineConfig } from "vitest/config"
import { isDeep } from "./depth.ts"
import { Tally } from "./tally.ts"

/** Only where there are property tests: loading their library takes time. */
const hasPropertyTests = readFileSync("package.json", "utf8").includes('"fast-check"')

/** The condition of exports by which sources are resolved directly, so that a test never runs against a stale build. */
const source = "dotrpc-source"

/**
 * The one test configuration. Node itself loads the sources, which is faster than to transform them for each package anew; where a suite
 * needs an alias or a definition of a bundler, `experimental: { viteModuleRunner: true }` lets Vite load them.
 */
export default defineConfig({
  resolve: { conditions: [source, "module", "node"] },
  ssr: { resolve: { conditions: [source, "module", "node"] } },
  test: {
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: [`--conditions=${source}`],
    include: ["test/**/*.test.ts"],
    exclude: isDeep ? configDefaults.exclude : [...configDefaults.exclude, "test/**/deep/**"],
    // Loading the sources takes longer than most files of tests: they are loaded once, so files share the state of modules.
    isolate: false,
    // Rows show times where the reader is, and expected ones are written down for this zone.
    env: { TZ: "UTC" },
    setupFiles: hasPropertyTests ? [fileURLToPath(new URL("seed.ts", import.meta.url))] : [],
    // Ends what hangs. A test that is only slow, on a machine with other work, is not to fail for it.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // What is polled for comes at once on a machine that is free. Otherwise a poll would give up after one second.
    expect: { poll: { timeout: 300_000 } },
    reporters: ["default", new Tally()],
  },
})
