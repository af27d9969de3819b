/** Builds the bundles of an app, and lists their third-party packages beside them. */
import { build, type BuildOptions, type Plugin } from "esbuild"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { noticesOf } from "./notices.ts"

/** `folder` is the app's; its bundles go to its `dist`. */
export const buildBundles = async (bundles: ReadonlyArray<BuildOptions>, folder: string): Promise<void> => {
  const built = await Promise.all(
    bundles.map((bundle) =>
      build({ ...bundle, plugins: [...(bundle.plugins ?? []), withoutStateManager], metafile: true as const }),
    ),
  )
  const metafiles = built.map(({ metafile }) => metafile)
  writeFileSync(join(folder, "dist/THIRD_PARTY_NOTICES"), noticesOf(metafiles, folder))
}

/**
 * The EVM library imports a state of its own for those who bring none, with tries and databases, of which a few bytes would
 * stay in a bundle, and with them packages that have no license text.
 */
const withoutStateManager: Plugin = {
  name: "without state manager",
  setup: ({ onLoad }) => {
    onLoad({ filter: /@ethereumjs[\\/]statemanager[\\/]dist[\\/]\w+[\\/]index\.js$/ }, () => ({
      contents: "export class SimpleStateManager {}",
    }))
  },
}
