/**
 * The bundles of the extension: a small entry for the Node extension host, one for the web worker of VS Code in a browser, the
 * features that both of them load, the EVM of the embedded chains, the writer of Parquet files, what draws results in the page of a notebook's outputs, and what imports a project's own
 * plugins in the Node host.
 *
 * The web entry ends in `.js`: the worker host appends that to any other name, so it cannot find a `.cjs` file.
 */
import { basename } from "node:path"
import { fileURLToPath } from "node:url"

import type { BuildOptions, Plugin } from "esbuild"

const folder = fileURLToPath(new URL(".", import.meta.url))
const columnsFolder = fileURLToPath(new URL("../../packages/columns", import.meta.url))

/** What is loaded later stays a file of its own where an entry imports it. */
const bundlesApart: Plugin = {
  name: "bundles apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/(features|nodePlugins)\.ts$/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path: `./${basename(path, ".ts")}.cjs`, external: true } : undefined,
    )
  },
}

/** The client for Redis is loaded where a configuration names a server, and cannot be in a browser. */
const redisApart: Plugin = {
  name: "redis apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^ioredis$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./redis.cjs", external: true } : undefined,
    )
  },
}

/** The EVM of the embedded chains is loaded by the first call that needs it. */
const evmApart: Plugin = {
  name: "evm apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/evm\/machinery\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./evm.cjs", external: true } : undefined,
    )
  },
}

/** The writer of Parquet files is loaded by the first that is saved. */
const parquetApart: Plugin = {
  name: "parquet apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^hyparquet-writer$/ }, () => ({ path: "./parquet.cjs", external: true }))
  },
}

/** Types and encodings of Parquet that no column has: they are a third of its writer. */
const unusedParquet: Plugin = {
  name: "unused parquet",
  setup: ({ onLoad }) => {
    const never = (...names: ReadonlyArray<string>) => names.map((name) => `export const ${name} = () => {}`).join("\n")
    const parts: Readonly<Record<string, string>> = {
      variant: never("autoDetectShredding", "encodeVariantColumn", "normalizeShreddingConfig"),
      geospatial: never("geospatialStatistics"),
      wkb: never("geojsonToWkb"),
      bloom: never("writeBlooms", "BloomBuilder"),
      delta: never("deltaBinaryPack", "deltaByteArray", "deltaLengthByteArray"),
      splitstream: never("writeByteStreamSplit"),
    }
    onLoad({ filter: /hyparquet-writer\/src\/(variant|geospatial|wkb|bloom|delta|splitstream)\.js$/ }, ({ path }) => ({
      contents: parts[basename(path, ".js")] ?? "",
    }))
  },
}

const shared: BuildOptions = {
  absWorkingDir: folder,
  bundle: true,
  format: "cjs",
  external: ["vscode"],
  minify: true,
  // Messages name nothing after classes and functions. Keeping those names for traces takes a twentieth of the package.
  keepNames: false,
  legalComments: "none",
  logLevel: "warning",
}

export const bundles: ReadonlyArray<BuildOptions> = [
  {
    ...shared,
    entryPoints: ["src/extension.ts"],
    platform: "node",
    target: "node20",
    plugins: [bundlesApart],
    // A file in CommonJS is loaded by `require`, whatever its exports look like.
    supported: { "dynamic-import": false },
    outfile: "dist/extension.cjs",
  },
  {
    ...shared,
    entryPoints: ["src/extension.web.ts"],
    platform: "browser",
    target: "es2022",
    outfile: "dist/extension.web.js",
  },
  {
    ...shared,
    entryPoints: ["src/project/nodePlugins.ts"],
    platform: "node",
    conditions: ["dotrpc-source", "module"],
    // Modules of a project are imported as they are, so `import()` stays what it is.
    target: "node20",
    outfile: "dist/nodePlugins.cjs",
  },
  {
    ...shared,
    entryPoints: ["src/features.ts"],
    platform: "browser",
    conditions: ["dotrpc-source", "module"],
    target: "es2022",
    plugins: [redisApart, evmApart, parquetApart],
    // Errors carry their names as data, so those of functions and classes only lengthen the package, by a twentieth.
    keepNames: false,
    supported: { "dynamic-import": false },
    outfile: "dist/features.cjs",
  },
  {
    ...shared,
    entryPoints: ["../../packages/gateway/src/evm/machinery.ts"],
    platform: "browser",
    conditions: ["dotrpc-source", "module"],
    target: "es2022",
    outfile: "dist/evm.cjs",
  },
  {
    ...shared,
    stdin: { contents: 'export { Redis } from "ioredis"', resolveDir: folder },
    platform: "node",
    target: "node20",
    // Its errors are named after their classes.
    keepNames: true,
    outfile: "dist/redis.cjs",
  },
  {
    ...shared,
    stdin: { contents: 'export { ByteWriter, ParquetWriter } from "hyparquet-writer"', resolveDir: columnsFolder },
    platform: "browser",
    target: "es2022",
    plugins: [unusedParquet],
    outfile: "dist/parquet.cjs",
  },
  {
    ...shared,
    entryPoints: ["src/renderer/main.ts"],
    format: "esm",
    platform: "browser",
    conditions: ["dotrpc-source", "module"],
    target: "es2022",
    outfile: "dist/renderer.js",
  },
]
