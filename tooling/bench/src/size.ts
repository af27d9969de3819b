/** What the language package weighs in a bundle, and how much it may. */
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

/** What is weighed: some exports of an entry of the package, and the bytes that they may take, minified and after gzip. */
export interface Bundle {
  readonly name: string
  readonly entry: string
  readonly exported: string
  readonly limit: number
}

/** Tight, so that whatever makes the language heavier is noticed. */
export const bundles: ReadonlyArray<Bundle> = [
  { name: "`parse` and `reparse`", entry: "@dotrpc/lang", exported: "{ parse, reparse }", limit: 11_300 },
  { name: "everything in `@dotrpc/lang`", entry: "@dotrpc/lang", exported: "*", limit: 12_600 },
  { name: "everything in `@dotrpc/lang/locate`", entry: "@dotrpc/lang/locate", exported: "*", limit: 920 },
]

/** Bytes of a bundle, minified and after gzip. */
export async function sizeOf({ entry, exported }: Bundle): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export ${exported} from "${entry}"`, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    conditions: ["dotrpc-source"],
    format: "esm",
    minify: true,
    target: "es2023",
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length
}
