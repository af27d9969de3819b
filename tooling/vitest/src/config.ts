import { defineConfig } from "vitest/config"

/** The one test configuration: sources are resolved directly, so a test never runs against a stale build. */
export default defineConfig({
  resolve: { conditions: ["dotrpc-source", "module", "node"] },
  ssr: { resolve: { conditions: ["dotrpc-source", "module", "node"] } },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    reporters: ["default"],
  },
})
