import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"
import { patience } from "./src/patience.ts"

export default mergeConfig(base, {
  test: { globalSetup: "src/setup.ts", expect: { poll: { timeout: patience, interval: 20 } } },
})
