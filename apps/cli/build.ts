/** Bundles the CLI, and lists what of others is in it. */
import { buildBundles } from "@dotrpc/notices/build"
import { bundles } from "./bundles.ts"

await buildBundles(bundles, import.meta.dirname)
