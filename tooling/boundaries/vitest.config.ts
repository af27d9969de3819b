import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

// One of the packages that are looked at has its sources beside what is built, and Node strips no types there.
export default mergeConfig(base, { test: { experimental: { viteModuleRunner: true } } })
