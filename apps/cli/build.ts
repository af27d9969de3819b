/** Bundles the CLI, and lists the third-party packages in it. */
import { buildBundles } from "@dotrpc/notices/build"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { bundles } from "./bundles.ts"

// The names of the parts follow from their content: those of the last build would stay.
rmSync(join(import.meta.dirname, "dist"), { recursive: true, force: true })
await buildBundles(bundles, import.meta.dirname)
