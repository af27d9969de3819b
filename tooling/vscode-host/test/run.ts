/** `pnpm test:editor`: the flows of the host itself; with `TEST_DEEP=1` all of them, in both extension hosts. */
import { findFlows, runSuite } from "../src/index.ts"

const passed = await runSuite({
  lanes: [[{ mark: "host", files: findFlows(import.meta.dirname) }]],
  environment: { VSCODE_HOST_PICTURES: process.env["VSCODE_HOST_PICTURES"] ?? "failures" },
})
process.exitCode = passed ? 0 : 1
