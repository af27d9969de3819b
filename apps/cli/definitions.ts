/** Texts of the repository that are part of the command, by the names that stand for them in its source. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

export const definitions: Readonly<Record<string, string>> = {
  CODES_PAGE: JSON.stringify(readFileSync(join(root, "docs/codes.md"), "utf8")),
}
