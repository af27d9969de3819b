/**
 * Fails a build in which a module takes names from a package that it loads late and that is CommonJS. Node finds such names
 * in the package's source, so that the module's own tests pass; a bundle has only the default export, and each name is
 * `undefined`.
 */
import type { Metafile, PartialMessage, Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const refuseLostNames: Plugin = {
  name: "lost names",
  setup: ({ initialOptions, onEnd }) => {
    const folder = initialOptions.absWorkingDir ?? "."
    onEnd(({ metafile }) => ({ errors: metafile === undefined ? [] : lostNames(metafile, folder) }))
  },
}

const lostNames = ({ inputs, outputs }: Metafile, folder: string): Array<PartialMessage> => {
  const nameless = new Set(
    Object.values(outputs).flatMap(({ entryPoint, exports }) =>
      entryPoint === undefined || exports.some((name) => name !== "default") ? [] : [entryPoint],
    ),
  )
  return Object.entries(inputs)
    .filter(([file]) => !file.includes("node_modules/"))
    .flatMap(([file, { imports }]) =>
      imports
        .filter(({ kind, path }) => kind === "dynamic-import" && nameless.has(path))
        .flatMap(({ original = "" }) =>
          takesDefault(readFileSync(join(folder, file), "utf8"), original)
            ? []
            : [
                {
                  text: `names of "${original}" are lost in the bundle: write const { default: NAME } = await import("${original}"), or import the package at the top of a module of ours that is loaded late`,
                  location: { file },
                },
              ],
        ),
    )
}

/** Whether every place that loads a module takes the whole of it. */
const takesDefault = (source: string, loaded: string): boolean =>
  source
    .split(`import("${loaded}")`)
    .slice(0, -1)
    .every((before) => /\{ default: \w+ \} = await $/.test(before))
