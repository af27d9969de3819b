/** Bundles the CLI, and lists the third-party packages in it. */
import { bundleWithEsbuild } from "@dotrpc/notices/esbuild"
import { writeNotices } from "@dotrpc/notices/write"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { bundles } from "./bundles.ts"

// The names of the parts follow from their content: those of the last build would stay.
rmSync(join(import.meta.dirname, "dist"), { recursive: true, force: true })
writeNotices(await bundleWithEsbuild(bundles), import.meta.dirname)
