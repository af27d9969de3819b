/** The one file of the command line, which needs nothing but Node. */
import type { BuildOptions } from "esbuild"
import { definitions } from "./definitions.ts"

export const bundles: ReadonlyArray<BuildOptions> = [
  {
    absWorkingDir: import.meta.dirname,
    entryPoints: ["src/main.ts"],
    outfile: "dist/dotrpc.mjs",
    bundle: true,
    minify: true,
    keepNames: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["dotrpc-source"],
    define: definitions,
    // Dependencies in CommonJS call `require`, which an ES module does not have.
    banner: {
      js: `#!/usr/bin/env node\nimport { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);`,
    },
    legalComments: "none",
    logLevel: "warning",
  },
]
