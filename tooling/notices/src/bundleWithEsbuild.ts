/** Bundles with esbuild, and names what is in the bundles. */
import { build, type BuildOptions, type Plugin } from "esbuild"
import { resolve } from "node:path"
import { stateManager } from "./stateManager.ts"

/** Writes the bundles unless `write` is false. Returns the absolute paths of the modules of which something is in one. */
export const bundleWithEsbuild = async (
  bundles: ReadonlyArray<BuildOptions>,
  { write = true }: { readonly write?: boolean | undefined } = {},
): Promise<ReadonlyArray<string>> => {
  const found = await Promise.all(
    bundles.map(async (bundle) => {
      const plugins = [...(bundle.plugins ?? []), withoutStateManager]
      const { metafile } = await build({ ...bundle, plugins, write, metafile: true as const })
      return Object.values(metafile.outputs)
        .flatMap(({ inputs }) => Object.entries(inputs))
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => resolve(bundle.absWorkingDir ?? ".", path))
    }),
  )
  return found.flat()
}

const withoutStateManager: Plugin = {
  name: "without state manager",
  setup: ({ onLoad }) => {
    onLoad({ filter: stateManager.path }, () => ({ contents: stateManager.instead }))
  },
}
