/** `pnpm manifests`, run in the folder of the workspace: writes what its manifest decides into that of every published package. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { decidedFor, publishedOf } from "./publishing.ts"
import { readManifest, readPackages } from "./workspace.ts"

const workspace = readManifest("package.json")
for (const { folder, manifest } of publishedOf(readPackages(".")))
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify({ ...manifest, ...decidedFor(folder, workspace) }, null, 2)}\n`,
  )
