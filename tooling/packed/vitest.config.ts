import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

// Each test is a process or two of its own, and there may be two cores.
export default mergeConfig(base, { test: { fileParallelism: false, maxConcurrency: 2 } })
