/** What parts of the language package weigh in a bundle. */
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

/** Bytes of a minified bundle with some exports of `@dotrpc/lang`, after gzip. */
export async function bundleSize(exported: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export ${exported} from "@dotrpc/lang"`, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    conditions: ["dotrpc-source"],
    format: "esm",
    minify: true,
    target: "es2023",
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length
}
