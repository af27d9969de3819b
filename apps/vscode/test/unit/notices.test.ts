import { testNotices } from "@dotrpc/notices/test"
import { join } from "node:path"
import { bundles } from "../../bundles.ts"

testNotices(bundles, join(import.meta.dirname, "../.."))
