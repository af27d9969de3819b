/** Bundles the extension, and lists what of others is in it. */
import { noticesOf } from "@dotrpc/notices"
import { build } from "esbuild"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundles } from "./bundles.ts"

const here = import.meta.dirname
const built = await Promise.all(bundles.map((bundle) => build({ ...bundle, metafile: true as const })))
writeFileSync(
  join(here, "dist/THIRD_PARTY_NOTICES"),
  noticesOf(
    built.map(({ metafile }) => metafile),
    here,
  ),
)
