import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

export default mergeConfig(base, {
  test: { testTimeout: 300_000, hookTimeout: 300_000, maxWorkers: 2, maxConcurrency: 2, globalSetup: "src/setup.ts" },
})
