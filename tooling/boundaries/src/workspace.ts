/** The manifests of the packages in the workspace that begins at `root`. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { globSync } from "tinyglobby"
import type { Manifest, Packaged } from "./publishing.ts"

export const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8")) as Manifest

/** Everything that can be published; the rest of the workspace serves its own development. */
export const readPackages = (root: string): ReadonlyArray<Packaged> =>
  globSync("{packages,apps}/*/package.json", { cwd: root })
    .toSorted()
    .map((path) => ({ folder: dirname(path), manifest: readManifest(join(root, path)) }))
