/** Bundles the CLI, lists the third-party packages in it, and records the sample chain that `src/recordedSample.ts` reads. */
import { recordSampleChain } from "@dotrpc/gateway"
import { bundleWithEsbuild } from "@dotrpc/notices/esbuild"
import { writeNotices } from "@dotrpc/notices/write"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants } from "node:zlib"
import { bundles } from "./bundles.ts"

const here = import.meta.dirname
// The names of the parts follow from their content: those of the last build would stay.
rmSync(join(here, "dist"), { recursive: true, force: true })
writeNotices(await bundleWithEsbuild(bundles), here)

// With a higher quality it takes half a minute.
const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
writeFileSync(join(here, "dist/sample-chain.br"), brotliCompressSync(recordSampleChain(), { params }))
