/** Bundles the extension, and lists the third-party packages in it. */
import { buildBundles } from "@dotrpc/notices/build"
import { bundles } from "./bundles.ts"

await buildBundles(bundles, import.meta.dirname)
