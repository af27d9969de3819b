import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

export default mergeConfig(base, { test: { testTimeout: 1_200_000, hookTimeout: 60_000 } })
