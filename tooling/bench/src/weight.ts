/** What a program with the runtime weighs in a page, by two bundlers, and how much it may. */
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as esbuild from "esbuild"
import { rolldown } from "rolldown"

export type Bundler = "esbuild" | "rolldown"
export const bundlers: ReadonlyArray<Bundler> = ["esbuild", "rolldown"]

export interface Program {
  readonly name: string
  /** In the folder `programs`. */
  readonly file: string
  /** Bytes that it may take, minified and after gzip; a bundler without one is only shown. */
  readonly limits: Partial<Readonly<Record<Bundler, number>>>
}

/** Tight, so that a module that drags others along is noticed. */
export const programs: ReadonlyArray<Program> = [
  { name: "Effect alone: an effect and a schema", file: "effectAlone.ts", limits: {} },
  {
    name: "a typed call with all layers, from modules",
    file: "callFromModules.ts",
    limits: { esbuild: 100_000, rolldown: 91_500 },
  },
  { name: "the same, from the packages' entries", file: "callFromEntries.ts", limits: { rolldown: 91_500 } },
]

const external = ["@effect/sql-pg/PgClient", "ioredis", "undici"]
const conditions = ["dotrpc-source", "browser", "import"]

/** Bytes of a program, minified and after gzip. */
export const weightOf = async (file: string, bundler: Bundler): Promise<number> => {
  const path = join(import.meta.dirname, "../programs", file)
  const code = bundler === "esbuild" ? await withEsbuild(path) : await withRolldown(path)
  return gzipSync(code, { level: 9 }).length
}

const withEsbuild = async (path: string): Promise<Uint8Array> => {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    conditions,
    external: [...external, "node:*"],
    format: "esm",
    minify: true,
    target: "es2023",
    write: false,
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

const withRolldown = async (path: string): Promise<string> => {
  const bundle = await rolldown({
    input: path,
    external: [...external, /^node:/],
    resolve: { conditionNames: conditions },
    logLevel: "silent",
  })
  const { output } = await bundle.generate({ minify: true })
  return output.map((part) => (part.type === "chunk" ? part.code : "")).join("\n")
}
