import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

export default mergeConfig(base, {
  test: { maxWorkers: 2, maxConcurrency: 2, globalSetup: "src/setup.ts" },
})
