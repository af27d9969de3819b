/** The first step of `pnpm release`, run in the folder of the workspace: says why nothing can be published, and exits 1. */
import { refusal } from "./publishing.ts"
import { readManifest, readPackages } from "./workspace.ts"

const reason = refusal(readManifest("package.json"), readPackages("."))
if (reason !== undefined) {
  process.stderr.write(`cannot release: ${reason}\n`)
  process.exitCode = 1
}
