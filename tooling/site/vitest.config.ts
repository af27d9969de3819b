import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

export default mergeConfig(base, { test: { testTimeout: 600_000, hookTimeout: 60_000 } })
