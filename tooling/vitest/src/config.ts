import { defineConfig } from "vitest/config"

/** The one test configuration: sources are resolved directly, so a test never runs against a stale build. */
export default defineConfig({
  resolve: { conditions: ["dotrpc-source", "module", "node"] },
  ssr: { resolve: { conditions: ["dotrpc-source", "module", "node"] } },
  test: {
    include: ["test/**/*.test.ts"],
    // Ends what hangs; on a busy machine a test may take many times as long as on an idle one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
})
