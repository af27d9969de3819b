import { bundleWithRolldown } from "@dotrpc/notices/rolldown"
import { testNotices } from "@dotrpc/notices/test"
import { join } from "node:path"
import { bundles } from "../../bundles.ts"

testNotices(() => bundleWithRolldown(bundles, { write: false }), join(import.meta.dirname, "../.."))
