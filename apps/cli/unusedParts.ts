/**
 * Fails a build that has a part that nothing loads: esbuild makes one for each module that is loaded late, also where it drops the
 * code that would load it.
 */
import type { Metafile, Plugin } from "esbuild"

export const refuseUnusedParts: Plugin = {
  name: "unused parts",
  setup: ({ onEnd }) => {
    onEnd(({ metafile }) => ({
      errors: (metafile === undefined ? [] : unusedParts(metafile)).map((part) => ({
        text: `nothing loads ${part}: import less of the package that has it, by a path inside that package`,
      })),
    }))
  },
}

const unusedParts = ({ outputs }: Metafile): ReadonlyArray<string> => {
  const loaded = new Set(Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path)))
  return Object.entries(outputs).flatMap(([path, { entryPoint = "" }]) =>
    loaded.has(path) || !path.includes("/parts/") ? [] : [`${path} of ${entryPoint}`],
  )
}
