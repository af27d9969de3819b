/** `pnpm test:editor`: the server in a real Neovim. Needs Debian's `neovim`. */
import { findFlows, runSuite } from "@dotrpc/vscode-host/suite"

const passed = await runSuite({ lanes: [[{ mark: "neovim", files: findFlows(import.meta.dirname) }]] })
process.exitCode = passed ? 0 : 1
