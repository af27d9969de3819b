import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

// Node cannot tell the names that the modules of `vscode-languageserver` export.
export default mergeConfig(base, { test: { experimental: { viteModuleRunner: true } } })
