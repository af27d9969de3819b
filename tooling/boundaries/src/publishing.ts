/**
 * What npm needs to know of every published package. Pure: manifests in, manifests and sentences out.
 *
 * Invariant: the URL of the repository is written in the manifest of the workspace, and all others copy it. npm accepts a statement of
 * provenance only from the repository that a package names.
 */
import { isDeepStrictEqual } from "node:util"

/** The members of a `package.json`. */
export type Manifest = Readonly<Record<string, unknown>>

/** A package of the workspace: the folder of its manifest, such as `packages/core`. */
export interface Packaged {
  readonly folder: string
  readonly manifest: Manifest
}

/** Nobody can register a name that ends like this: nothing can be published from there by mistake. */
const placeholder = /^git\+https:\/\/[^/]+\.invalid\//

/** The packages that npm gets. The extension is private, as it goes to galleries, and so is the command, which is packed as `dotrpc`. */
export const publishedOf = (packages: ReadonlyArray<Packaged>): ReadonlyArray<Packaged> =>
  packages.filter(({ manifest }) => manifest["private"] !== true)

/** What the manifest of the workspace decides about the package in `folder`. */
export const decidedFor = (folder: string, workspace: Manifest): Manifest => ({
  license: workspace["license"],
  keywords: workspace["keywords"],
  homepage: `${pageOf(workspace)}#readme`,
  bugs: { url: `${pageOf(workspace)}/issues` },
  repository: { type: "git", url: urlOf(workspace), directory: folder },
  publishConfig: { access: "public", provenance: true },
})

/** Why nothing can be published now, or `undefined` if nothing is in the way. */
export const refusal = (workspace: Manifest, packages: ReadonlyArray<Packaged>): string | undefined => {
  const url = urlOf(workspace)
  if (url === undefined || placeholder.test(url))
    return 'package.json: "repository" names a placeholder: write the URL of the repository there, such as "git+https://HOST/OWNER/dotrpc.git", and run: pnpm manifests'
  const stale = publishedOf(packages).find(({ folder, manifest }) => !agrees(manifest, decidedFor(folder, workspace)))
  return stale === undefined
    ? undefined
    : `${stale.folder}/package.json: expected what the package.json of the workspace decides; run: pnpm manifests`
}

const urlOf = ({ repository }: Manifest): string | undefined =>
  typeof repository === "object" && repository !== null && "url" in repository && typeof repository.url === "string"
    ? repository.url
    : undefined

/** The repository as a page that a browser opens. */
const pageOf = (workspace: Manifest): string | undefined => urlOf(workspace)?.replace(/^git\+|\.git$/g, "")

const agrees = (manifest: Manifest, decided: Manifest): boolean =>
  Object.entries(decided).every(([member, value]) => isDeepStrictEqual(manifest[member], value))
