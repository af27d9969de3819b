/** The files of the command line, which need nothing but Node: one that starts it, and parts that are loaded when they are needed. */
import type { BuildOptions } from "esbuild"
import { definitions } from "./definitions.ts"
import { refuseLostNames } from "./lostNames.ts"
import { refuseUnusedParts } from "./unusedParts.ts"

export const bundles: ReadonlyArray<BuildOptions> = [
  {
    absWorkingDir: import.meta.dirname,
    entryPoints: { dotrpc: "src/main.ts" },
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    chunkNames: "parts/[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    keepNames: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["dotrpc-source"],
    define: definitions,
    plugins: [refuseLostNames, refuseUnusedParts],
    // Dependencies in CommonJS call `require`, which an ES module does not have.
    banner: {
      js: `import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);`,
    },
    legalComments: "none",
    logLevel: "warning",
  },
]
