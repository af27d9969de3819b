/** Lists the third-party packages of an app's bundles beside them. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { noticesOf } from "./notices.ts"

/** `modules` are absolute paths, as the bundlers name them; `folder` is the app's, whose bundles are in its `dist`. */
export const writeNotices = (modules: ReadonlyArray<string>, folder: string): void =>
  writeFileSync(join(folder, "dist/THIRD_PARTY_NOTICES"), noticesOf(modules))
