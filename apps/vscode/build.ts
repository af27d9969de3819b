/** Bundles the extension, and lists the third-party packages in it. */
import { bundleWithRolldown } from "@dotrpc/notices/rolldown"
import { writeNotices } from "@dotrpc/notices/write"
import { bundles } from "./bundles.ts"

writeNotices(await bundleWithRolldown(bundles), import.meta.dirname)
