/** Asks "are the types wrong?" (attw) of every entry of a package, with the files that it publishes. Offline. */
import { checkPackage, Package, type Problem, type ResolutionKind } from "@arethetypeswrong/core"
import { problemAffectsResolutionKind, problemKindInfo } from "@arethetypeswrong/core/problems"

/** The packages are modules only: `require`, and resolution from before `exports`, never find them. */
const importers: ReadonlyArray<ResolutionKind> = ["node16-esm", "bundler"]

/**
 * What is wrong, one sentence each: an entry without types, types that contradict the program, an import that the types
 * cannot follow. `files` are texts by their path in the package.
 */
export const findWrongTypes = async (
  name: string,
  version: string,
  files: Readonly<Record<string, string>>,
): Promise<ReadonlyArray<string>> => {
  const placed = Object.entries(files).map(([path, text]) => [`/node_modules/${name}/${path}`, text])
  const analysis = await checkPackage(new Package(Object.fromEntries(placed), name, version))
  if (analysis.types === false) return [`${name} publishes no types`]
  return analysis.problems.flatMap((problem) => {
    const affected = importers.filter((importer) => problemAffectsResolutionKind(problem, importer, analysis))
    return affected.length === 0 ? [] : [`${placeOf(problem, name)}: ${sayKind(problem)} (${affected.join(", ")})`]
  })
}

const placeOf = (problem: Problem, name: string): string => {
  if ("entrypoint" in problem) return problem.entrypoint.replace(/^\./, name)
  return ("fileName" in problem ? problem.fileName : problem.typesFileName).replace("/node_modules/", "")
}

const sayKind = (problem: Problem): string =>
  problem.kind === "InternalResolutionError"
    ? `cannot resolve "${problem.moduleSpecifier}"`
    : problemKindInfo[problem.kind].shortDescription
