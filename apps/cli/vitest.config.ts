import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

export default mergeConfig(base, { test: { setupFiles: ["test/setup.ts"] } })
