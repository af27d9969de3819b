/** `pnpm test:editor`: the server in a real Neovim. Needs Debian's `neovim`. */
import { findFlows } from "../../../../tooling/vscode-host/src/Depth.ts"
import { runSuite } from "../../../../tooling/vscode-host/src/Suite.ts"

const passed = await runSuite({ lanes: [[{ mark: "neovim", files: findFlows(import.meta.dirname) }]] })
process.exitCode = passed ? 0 : 1
