import { bundleWithEsbuild } from "@dotrpc/notices/esbuild"
import { testNotices } from "@dotrpc/notices/test"
import { join } from "node:path"
import { bundles } from "../bundles.ts"

testNotices(() => bundleWithEsbuild(bundles, { write: false }), join(import.meta.dirname, ".."))
