import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"
import { definitions } from "./definitions.ts"

export default mergeConfig(base, {
  define: definitions,
  test: {
    setupFiles: ["test/setup.ts"],
    // Plugins in temporary folders are imported by Node itself, as a command does it.
    server: { deps: { external: [/\/dotrpc-\w{6}\//] } },
  },
})
