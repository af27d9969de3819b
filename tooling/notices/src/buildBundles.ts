/** Builds the bundles of an app, and lists their third-party packages beside them. */
import { build, type BuildOptions } from "esbuild"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { noticesOf } from "./notices.ts"
import { withoutStateManager } from "./withoutStateManager.ts"

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
