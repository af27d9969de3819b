/**
 * The bundles of the extension: a small entry for the Node extension host, one for the web worker of VS Code in a browser, the
 * features that both of them load, the EVM of the embedded chains, the writer of Parquet files, what draws results in the page
 * of a notebook's outputs, and what imports a project's own plugins in the Node host. Rolldown makes them: decision 041.
 *
 * The web entry ends in `.js`: the worker host appends that to any other name, so it cannot find a `.cjs` file.
 */
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"

import type { BuildOptions, Plugin } from "rolldown"

const folder = fileURLToPath(new URL(".", import.meta.url))
const columnsFolder = fileURLToPath(new URL("../../packages/columns", import.meta.url))

/** What an import of a module that is loaded later becomes: a `require` of the file that has it. */
const apart = (file: string) => ({ id: `./${file}`, external: true }) as const

/** What is loaded later stays a file of its own where an entry imports it. */
const bundlesApart: Plugin = {
  name: "bundles apart",
  resolveId: {
    filter: { id: /\/(features|nodePlugins)\.ts$/ },
    handler: (path, _importer, { kind }) => (kind === "dynamic-import" ? apart(`${basename(path, ".ts")}.cjs`) : null),
  },
}

/** The client for Redis is loaded where a configuration names a server, and cannot be in a browser. */
const redisApart: Plugin = {
  name: "redis apart",
  resolveId: {
    filter: { id: /^ioredis$/ },
    handler: (_path, _importer, { kind }) => (kind === "dynamic-import" ? apart("redis.cjs") : null),
  },
}

/** The EVM of the embedded chains is loaded by the first call that needs it. */
const evmApart: Plugin = {
  name: "evm apart",
  resolveId: {
    filter: { id: /\/evm\/machinery\.ts$/ },
    handler: (_path, _importer, { kind }) => (kind === "dynamic-import" ? apart("evm.cjs") : null),
  },
}

/** The writer of Parquet files is loaded by the first that is saved. */
const parquetApart: Plugin = {
  name: "parquet apart",
  resolveId: { filter: { id: /^hyparquet-writer$/ }, handler: () => apart("parquet.cjs") },
}

/** An entry of one line, as if it stood in the folder: what a package exports and the extension uses. */
const entryIn = (place: string, line: string): Plugin => ({
  name: "entry",
  resolveId: { filter: { id: /^entry$/ }, handler: () => join(place, "entry.js") },
  load: { filter: { id: /[\\/]entry\.js$/ }, handler: (id) => (id === join(place, "entry.js") ? line : null) },
})

/** Types and encodings of Parquet that no column has: they are a third of its writer. */
const unusedParquet: Plugin = {
  name: "unused parquet",
  load: {
    filter: { id: /hyparquet-writer[\\/]src[\\/](variant|geospatial|wkb|bloom|delta|splitstream)\.js$/ },
    handler: (path) => unusedOfParquet[basename(path, ".js")] ?? null,
  },
}

const never = (...names: ReadonlyArray<string>) => names.map((name) => `export const ${name} = () => {}`).join("\n")
const unusedOfParquet: Readonly<Record<string, string>> = {
  variant: never("autoDetectShredding", "encodeVariantColumn", "normalizeShreddingConfig"),
  geospatial: never("geospatialStatistics"),
  wkb: never("geojsonToWkb"),
  bloom: never("writeBlooms", "BloomBuilder"),
  delta: never("deltaBinaryPack", "deltaByteArray", "deltaLengthByteArray"),
  splitstream: never("writeByteStreamSplit"),
}

const shared = {
  cwd: folder,
  external: ["vscode"],
} satisfies BuildOptions

const output = {
  format: "cjs",
  minify: true,
  codeSplitting: false,
  // A file in CommonJS is loaded by `require`, whatever its exports look like.
  dynamicImportInCjs: false,
  // Errors carry their names as data, so those of functions and classes only lengthen the package, by a twentieth.
  keepNames: false,
  comments: { legal: false },
} satisfies BuildOptions["output"]

const ofNode = { platform: "node", transform: { target: "node20" } } satisfies BuildOptions
const ofBrowser = { platform: "browser", transform: { target: "es2022" } } satisfies BuildOptions
/** The workspace's packages are bundled from their sources. */
const sourcesFor = (platform: "browser" | "node") =>
  ({ resolve: { conditionNames: ["dotrpc-source", "module", platform] } }) satisfies BuildOptions

export const bundles: ReadonlyArray<BuildOptions> = [
  {
    ...shared,
    ...ofNode,
    ...sourcesFor("node"),
    input: "src/extension.ts",
    plugins: [bundlesApart],
    output: { ...output, file: "dist/extension.cjs" },
  },
  {
    ...shared,
    ...ofBrowser,
    ...sourcesFor("browser"),
    input: "src/extension.web.ts",
    // A plugin that is one file is imported as it is.
    output: { ...output, dynamicImportInCjs: true, file: "dist/extension.web.js" },
  },
  {
    ...shared,
    ...ofNode,
    ...sourcesFor("node"),
    input: "src/project/nodePlugins.ts",
    // Modules of a project are imported as they are, so `import()` stays what it is.
    output: { ...output, dynamicImportInCjs: true, file: "dist/nodePlugins.cjs" },
  },
  {
    ...shared,
    ...ofBrowser,
    ...sourcesFor("browser"),
    input: "src/features.ts",
    plugins: [redisApart, evmApart, parquetApart],
    output: { ...output, file: "dist/features.cjs" },
  },
  {
    ...shared,
    ...ofBrowser,
    ...sourcesFor("browser"),
    input: "../../packages/gateway/src/evm/machinery.ts",
    output: { ...output, file: "dist/evm.cjs" },
  },
  {
    ...shared,
    ...ofNode,
    input: "entry",
    plugins: [entryIn(folder, 'export { Redis } from "ioredis"')],
    // Its errors are named after their classes.
    output: { ...output, keepNames: true, file: "dist/redis.cjs" },
  },
  {
    ...shared,
    ...ofBrowser,
    input: "entry",
    plugins: [entryIn(columnsFolder, 'export { ByteWriter, ParquetWriter } from "hyparquet-writer"'), unusedParquet],
    output: { ...output, file: "dist/parquet.cjs" },
  },
  {
    ...shared,
    ...ofBrowser,
    ...sourcesFor("browser"),
    input: "src/renderer/main.ts",
    output: { ...output, format: "esm", file: "dist/renderer.js" },
  },
]
