/**
 * Finds optional properties of a type that do not take `undefined`. With `exactOptionalPropertyTypes` such a property can be
 * left out and cannot be given as `undefined`, so that every caller that may not have a value has to build its object in pieces.
 */
import type { SourceFile, Violation } from "./check.ts"
import { isNode, type Node, nodesIn, spanOf } from "./nodes.ts"

/** Shapes of JSON as it is sent or kept. A member there is absent or has a value: JSON has no `undefined`. */
const wireShapes = [
  /^packages\/gateway\/src\/(chain|events|accounts|methods|metering)\//,
  /^packages\/plugin-l2-events\/src\/Event(Filter|Page)\.ts$/,
  /^packages\/plugin-token-accounts\/src\//,
  /^packages\/core\/src\/scan\/(Checkpoint|dividedBlock|Endpoint|forecast|Learned|Piece|ScanPlan|profile)\.ts$/,
  /^packages\/spec\/src\/PageWalk\.ts$/,
  /^apps\/vscode\/src\/history\/KeptRun\.ts$/,
]

export const findOptionals = (files: ReadonlyArray<SourceFile>): ReadonlyArray<Violation> =>
  files
    .filter(({ path }) => /^(packages|apps)\/[^/]+\/src\//.test(path) && !wireShapes.some((shape) => shape.test(path)))
    .flatMap((file) =>
      optionalsIn(file).map(({ name, start }) => ({
        path: file.path,
        line: file.text.slice(0, start).split("\n").length,
        message: `the optional property ${name} does not take undefined: write "${name}?: … | undefined"`,
      })),
    )

interface Optional {
  readonly name: string
  readonly start: number
  /** Where its type begins and ends. */
  readonly type: readonly [start: number, end: number]
  readonly kind: string
}

const optionalsIn = (file: SourceFile): ReadonlyArray<Optional> =>
  nodesIn(file).flatMap((node) => {
    const isProperty = node.type === "TSPropertySignature" || node.type === "PropertyDefinition"
    if (!isProperty || node["optional"] !== true) return []
    const type = (node["typeAnnotation"] as { readonly typeAnnotation?: unknown } | null)?.typeAnnotation
    if (!isNode(type) || takesUndefined(type)) return []
    const name = file.text.slice(...spanOf(node["key"]))
    return [{ name, start: node.start, type: spanOf(type), kind: type.type }]
  })

const alwaysTakes: ReadonlySet<string> = new Set([
  "TSUndefinedKeyword",
  "TSUnknownKeyword",
  "TSAnyKeyword",
  "TSNeverKeyword",
])

const takesUndefined = (type: Node): boolean =>
  alwaysTakes.has(type.type) ||
  (type.type === "TSUnionType" &&
    (type["types"] as ReadonlyArray<unknown>).some((one) => isNode(one) && takesUndefined(one))) ||
  (type.type === "TSParenthesizedType" && isNode(type["typeAnnotation"]) && takesUndefined(type["typeAnnotation"]))
