import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

export default mergeConfig(base, {
  test: { globalSetup: "src/setup.ts", testTimeout: 120_000, hookTimeout: 60_000 },
})
