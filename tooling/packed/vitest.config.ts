import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

export default mergeConfig(base, { test: { testTimeout: 120_000, hookTimeout: 300_000 } })
