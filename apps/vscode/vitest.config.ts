import { fileURLToPath } from "node:url"

import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

/** Outside an editor there is none: what a test calls of it keeps what it is given. */
const editor = fileURLToPath(new URL("test/unit/editor.ts", import.meta.url))

export default mergeConfig(base, {
  resolve: { alias: { vscode: editor } },
  test: { experimental: { viteModuleRunner: true } },
})
