import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"
import { definitions } from "./definitions.ts"

export default mergeConfig(base, {
  define: definitions,
  test: {
    experimental: { viteModuleRunner: true },
    setupFiles: ["test/setup.ts"],
    // The last and longest of all suites: by then nobody else needs the second core.
    maxWorkers: 2,
    // Plugins in temporary folders are imported by Node itself, as a command does it.
    server: { deps: { external: [/\/dotrpc-\w{6}\//] } },
  },
})
