/**
 * Finds members that are spread into an object only where they have a value: `...(a === undefined ? {} : { a })`. Optional
 * properties take `undefined`, so `{ a }` says the same. Where an absent member means something else, as in JSON, it stays.
 */
import type { SourceFile, Violation } from "./check.ts"
import { isNode, type Node, nodesIn, spanOf } from "./nodes.ts"

/** Files in which a member is left out where it has no value, and why. */
export const absentMembers: ReadonlyArray<{ readonly files: RegExp; readonly why: string }> = [
  {
    files: /^packages\/core\/src\/scan\/(ask|Checkpoint|Endpoint|Learned|learnedJson|pages|planning|progress)\.ts$/,
    why: "what a scan has learned is kept as JSON",
  },
  { files: /^packages\/runner\/src\/JsonReport\.ts$/, why: "the report is JSON" },
  { files: /^packages\/runner\/src\/internal\/(keptRows|rowsTable)\.ts$/, why: "rows are kept and saved as JSON" },
  { files: /^packages\/runner\/src\/NamedResult\.ts$/, why: "names lead to JSON" },
  { files: /^packages\/gateway\/src\/(chain|metering|methods)\/|\/replies\.ts$/, why: "replies are JSON" },
  { files: /^packages\/plugin-token-accounts\/src\/DecodeAccount\.ts$/, why: "it gives what a node sends" },
  { files: /^packages\/plugin-evm\/src\/abi\/declaration\.ts$/, why: "an ABI is JSON" },
  { files: /^packages\/spec\/src\/PageWalk\.ts$/, why: "the place of a page is kept as JSON" },
  {
    files: /^packages\/language-server\/src\/internal\/(convert|serveDocuments)\.ts$/,
    why: "the protocol's types are JSON",
  },
  { files: /^apps\/vscode\/src\/history\//, why: "runs are kept as JSON" },
  {
    files: /^apps\/vscode\/src\/(notebook\/payload|renderer\/GridView|results\/save(Picture|Result)|Shown)\.ts$/,
    why: "the types of the editor and of a page do not take undefined",
  },
  { files: /^apps\/cli\/src\/openrpc\/readShape\.ts$/, why: "shapes are joined member by member" },
  { files: /\/test\//, why: "a test says what is absent" },
]

export const findSpreads = (files: ReadonlyArray<SourceFile>): ReadonlyArray<Violation> =>
  files
    .filter(({ path }) => !absentMembers.some((absent) => absent.files.test(path)))
    .flatMap((file) =>
      spreadsIn(file).map(({ name, start }) => ({
        path: file.path,
        line: file.text.slice(0, start).split("\n").length,
        message: `${name} is spread only where it is not undefined: write it as a member, or add the file to spreads.ts and say why`,
      })),
    )

interface Spread {
  readonly name: string
  readonly start: number
}

const spreadsIn = (file: SourceFile): ReadonlyArray<Spread> =>
  nodesIn(file).flatMap((node) => (node.type === "ObjectExpression" ? spreadsOf(node, file.text) : []))

/** Over members that are spread before, absent and `undefined` differ; of several members, each would need the question. */
const spreadsOf = (object: Node, text: string): ReadonlyArray<Spread> => {
  const members = nodesOf(object["properties"])
  const over = members.findIndex((member) => member.type === "SpreadElement" && conditionOf(member) === undefined)
  return members.slice(0, over === -1 ? members.length : over).flatMap((member) => {
    const condition = conditionOf(member)
    if (condition === undefined || nodesOf(bare(condition["alternate"])?.["properties"]).length !== 1) return []
    const name = text.slice(...spanOf(bare(condition["test"])?.["left"]))
    return [{ name, start: member.start }]
  })
}

/** The condition of `...(a === undefined ? {} : { … })`. */
const conditionOf = (member: Node): Node | undefined => {
  const condition = member.type === "SpreadElement" ? bare(member["argument"]) : undefined
  if (condition?.type !== "ConditionalExpression") return undefined
  const test = bare(condition["test"])
  const comparesUndefined =
    test?.type === "BinaryExpression" && test["operator"] === "===" && bare(test["right"])?.["name"] === "undefined"
  const nothing = bare(condition["consequent"])
  const isEmpty = nothing?.type === "ObjectExpression" && nodesOf(nothing["properties"]).length === 0
  return comparesUndefined && isEmpty ? condition : undefined
}

const nodesOf = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

const bare = (value: unknown): Node | undefined => {
  if (!isNode(value)) return undefined
  return value.type === "ParenthesizedExpression" ? bare(value["expression"]) : value
}
