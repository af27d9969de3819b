/** Texts of the repository that are part of the command, by the names that stand for them in its source. */
import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** Other code, or other packages below it, may make other sample data. */
const fingerprint = (): string => {
  const files = globSync(["packages/gateway/src/**/*.ts", "packages/spec/src/**/*.ts"], { cwd: root }).toSorted()
  const hash = createHash("sha256")
  for (const file of [...files, "pnpm-workspace.yaml"]) hash.update(readFileSync(join(root, file)))
  return hash.digest("hex")
}

export const definitions: Readonly<Record<string, string>> = {
  CODES_PAGE: JSON.stringify(readFileSync(join(root, "docs/codes.md"), "utf8")),
  SAMPLE_FINGERPRINT: JSON.stringify(fingerprint()),
}
