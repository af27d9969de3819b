/** How `changeset version` writes changelogs: the sentences of the changesets, and one line for a package whose dependencies changed. */
interface Changeset {
  readonly summary: string
}
interface Dependency {
  readonly name: string
  readonly newVersion: string
}

export default {
  getReleaseLine: ({ summary }: Changeset): string => `- ${summary.trim().replaceAll("\n", "\n  ")}`,
  /** The changesets of the dependencies are in their own changelogs. */
  getDependencyReleaseLine: (_: ReadonlyArray<Changeset>, dependencies: ReadonlyArray<Dependency>): string =>
    dependencies.length === 0
      ? ""
      : `- Updated ${dependencies.map(({ name, newVersion }) => `${name} to ${newVersion}`).join(", ")}.`,
}
