/** Bundles with Rolldown, and names what is in the bundles. */
import { build, type BuildOptions, type Plugin } from "rolldown"
import { stateManager } from "./stateManager.ts"

/** Writes the bundles unless `write` is false. Returns the absolute paths of the modules of which something is in one. */
export const bundleWithRolldown = async (
  bundles: ReadonlyArray<BuildOptions>,
  { write = true }: { readonly write?: boolean | undefined } = {},
): Promise<ReadonlyArray<string>> => {
  const found = await Promise.all(
    bundles.map(async (bundle) => {
      const { output } = await build({
        ...bundle,
        plugins: [bundle.plugins, withoutStateManager],
        write,
        onLog: (level, { message }) => {
          // Such as an import that is not found, which would be left for the editor to find.
          if (level === "warn") throw new Error(message)
        },
      })
      return output
        .flatMap((file) => (file.type === "chunk" ? Object.entries(file.modules) : []))
        .filter(([, { renderedLength }]) => renderedLength > 0)
        .map(([path]) => path)
    }),
  )
  return found.flat()
}

const withoutStateManager: Plugin = {
  name: "without state manager",
  load: { filter: { id: stateManager.path }, handler: () => stateManager.instead },
}
