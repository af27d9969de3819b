/** What the editor says of a name is what the analysis makes of it: a value, a request, or nothing. */
import {
  type Analysis,
  analyze,
  evaluate,
  type Evaluated,
  makeWorkspace,
  type NamedResults,
  type ProjectConfig,
  resultKey,
  scopeAt,
} from "@dotrpc/analysis"
import { type NameExpr, parse, type SyntaxNode } from "@dotrpc/lang"
import { childrenOf, lineIndex, offsetAt, type Position, positionAt, sectionAt } from "@dotrpc/lang/locate"
import { Evm } from "@dotrpc/plugin-evm"
import { Json } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import { completion, definition, type AnalysedText, hover, type Location, references, rename } from "../src/index.ts"

const home = "file:///project/main.rpc"
const lent = "file:///project/shared.rpc"
const lentFirst = "file:///project/first.rpc"

const config: ProjectConfig = {
  networks: { evm: { plugin: "evm", url: "embedded:evm" } },
  environments: { one: { vars: { xenv: 5, xa: 6 } }, two: { vars: { xenv: 7 } } },
}
const { workspace } = makeWorkspace({ plugins: [Evm.plugin], config, environment: "two", env: () => undefined, now: 0 })

/** The texts of a project by address; the others can be imported by the first. */
type Texts = ReadonlyMap<string, string>

const openAll = (texts: Texts): AnalysedText => {
  const files = new Map([...texts].map(([uri, text]) => [uri, parse(text)]))
  const main = files.get(home) ?? parse("")
  const analysis = analyze(main, workspace, { sources: { uri: home, files, texts: new Map() } })
  return { analysis, lines: lineIndex(main.tree.tokens.text), results: resultsOf(analysis) }
}

/** The outcome of each request, by its place. */
const resultsOf = (analysis: Analysis): NamedResults => {
  const results = new Map<string, Json.Json>()
  for (const request of [...analysis.requests, ...analysis.imported]) {
    const key = resultKey(request)
    const value = 1_000 + request.section.start + (request.origin === undefined ? 0 : 500_000)
    if (key !== undefined && !results.has(key))
      results.set(key, { result: value, error: null, credits: 75, ms: 1, calls: 1 })
  }
  return results
}

const namesOf = (node: SyntaxNode): ReadonlyArray<NameExpr> =>
  node.kind === "Name" ? [node] : childrenOf(node).flatMap(namesOf)

const valueOf = ({ analysis, results = new Map() }: AnalysedText, node: NameExpr): Evaluated =>
  evaluate(node, scopeAt(analysis, node.start, results))

const shown = (evaluated: Evaluated): string =>
  evaluated._tag === "Value" ? Json.stringify(evaluated.value) : evaluated._tag

const names = ["xa", "xb", "xc", "xlogs", "xenv", "result", "credits"]
const name = fc.constantFrom(...names)
const expression = fc.oneof(
  fc.integer({ min: 10, max: 99 }).map(String),
  name,
  name.map((part) => `${part} + 1`),
  name.map((part) => `${part}.result`),
)
const variable = fc.tuple(name, expression).map(([own, value]) => `@${own} = ${value}\n`)
const variables = fc.array(variable, { maxLength: 4 }).map((lines) => lines.join(""))
const optional = (directive: string) =>
  fc.option(name, { nil: undefined }).map((own) => (own === undefined ? "" : `# @${directive} ${own}\n`))
const section = fc
  .record({
    name: optional("name"),
    ref: optional("ref"),
    env: fc.constantFrom("", "", "# @env one\n"),
    variables,
    params: fc.array(expression, { maxLength: 3 }),
    checks: fc.array(expression, { maxLength: 2 }),
  })
  .map(
    ({ checks, env, name: own, params, ref, variables: lines }) =>
      `###\n${own}${ref}${env}${lines}eth_getLogs [${params.map((part) => `{{${part}}}`).join(", ")}]\n${checks.map((check) => `?? ${check}\n`).join("")}`,
  )
const file = fc
  .tuple(variables, fc.array(section, { maxLength: 3 }))
  .map(([prelude, sections]) => prelude + sections.join(""))
const project = fc
  .tuple(
    fc.constantFrom("", "# @import ./shared.rpc\n", "# @import ./first.rpc\n# @import ./shared.rpc\n"),
    file,
    file,
    file,
  )
  .map(
    ([imports, main, shared, first]): Texts =>
      new Map([
        [home, imports + main],
        [lent, shared],
        [lentFirst, first],
      ]),
  )

const textAt = (texts: Texts, { uri = home }: Location): string => texts.get(uri) ?? ""

const edited = (texts: Texts, edits: ReadonlyArray<Location & { readonly text: string }>): Texts =>
  new Map(
    [...texts].map(([uri, text]) => [
      uri,
      edits
        .filter((edit) => (edit.uri ?? home) === uri)
        .toSorted((left, right) => offsetAt(text, right.range.start) - offsetAt(text, left.range.start))
        .reduce(
          (now, edit) =>
            now.slice(0, offsetAt(text, edit.range.start)) + edit.text + now.slice(offsetAt(text, edit.range.end)),
          text,
        ),
    ]),
  )

const checkAll = (check: (texts: Texts, document: AnalysedText) => void): void =>
  fc.assert(
    fc.property(project, (texts) => check(texts, openAll(texts))),
    { numRuns: runs(100) },
  )

describe("a name", () => {
  it("has the value that its definition is given", () => {
    checkAll((texts, document) => {
      for (const [index, node] of namesOf(document.analysis.tree).entries()) {
        const found = definition(document, positionAt(document.lines, node.start))
        if (found === undefined) continue
        const text = textAt(texts, found)
        const start = offsetAt(text, found.range.start)
        expect(text.slice(start, offsetAt(text, found.range.end))).toBe(node.name)
        if (text[start - 1] === "@") {
          const end = text.indexOf("\n", start)
          const range = { start: found.range.end, end: positionAt(text, end) }
          const changed = openAll(edited(texts, [{ ...found, range, text: " = 987654321" }]))
          const same = namesOf(changed.analysis.tree)
          // The value of the definition may have had names before this one.
          const moved = same.at(index - namesOf(document.analysis.tree).length)
          expect(moved?.name).toBe(node.name)
          if (moved !== undefined) expect(shown(valueOf(changed, moved))).toBe("987654321")
        } else {
          const section =
            1_000 + (sectionAt(parse(text).tree, start)?.start ?? 0) + (found.uri === undefined ? 0 : 500_000)
          const value = valueOf(document, node)
          expect(value._tag === "Pending" || shown(value).startsWith(`{"result":${section},`)).toBe(true)
        }
      }
    })
  })

  it("is offered as what it is, and its hover shows its value", () => {
    checkAll((texts, document) => {
      for (const node of namesOf(document.analysis.tree)) {
        const position = positionAt(document.lines, node.start)
        const value = valueOf(document, node)
        const found = definition(document, position)
        const offers = completion(document, positionAt(document.lines, node.end)).filter(
          ({ label }) => label === node.name,
        )
        const isVariable =
          found !== undefined && textAt(texts, found)[offsetAt(textAt(texts, found), found.range.start) - 1] === "@"
        if (isVariable) expect(offers.map(({ kind }) => kind)).toEqual(["variable"])
        else if (found !== undefined) expect(offers.every(({ kind }) => kind === "request")).toBe(true)
        if (value._tag === "Problem") continue
        const text = hover(document, position)?.markdown ?? ""
        if (value._tag === "Value" && typeof value.value === "number") expect(text).toContain(String(value.value))
        if (value._tag === "Pending") expect(text).not.toBe("")
      }
    })
  })

  it("has the same references wherever they are asked for", () => {
    checkAll((_, document) => {
      for (const node of namesOf(document.analysis.tree)) {
        const position = positionAt(document.lines, node.start)
        const found = references(document, position)
        const own = definition(document, position)
        if (own === undefined) {
          expect(found).toEqual([])
          continue
        }
        expect(found.map(({ range, uri }) => ({ range, uri }))).toContainEqual(own)
        expect(
          found.some(({ range, uri }) => uri === undefined && offsetAt(document.lines, range.start) === node.start),
        ).toBe(true)
        for (const other of found)
          if (other.uri === undefined) expect(references(document, other.range.start)).toEqual(found)
      }
    })
  })

  it("has a reference wherever it is mentioned and defined in the same place, and nowhere else", () => {
    checkAll((_, document) => {
      const mentions = namesOf(document.analysis.tree).map(({ start }) => positionAt(document.lines, start))
      for (const position of mentions) {
        const found = references(document, position)
        const definitions = found.filter(({ isDefinition }) => isDefinition).map(({ range, uri }) => ({ range, uri }))
        const isSame = (other: Position) => {
          const { range, uri } = definition(document, other) ?? {}
          return definitions.some((own) => own.uri === uri && isDeepStrictEqual(own.range, range))
        }
        const here = found.filter(({ isDefinition, uri }) => !isDefinition && uri === undefined)
        expect(here.map(({ range }) => range.start).filter((start) => !isRef(document, start))).toEqual(
          mentions.filter(isSame),
        )
      }
    })
  })

  it("can be renamed, and everything keeps its value and its problems", () => {
    fc.assert(
      fc.property(project, fc.nat(), fc.constantFrom("fresh", ...names), (texts, pick, newName) => {
        const document = openAll(texts)
        const mentions = namesOf(document.analysis.tree)
        const words = [...document.lines.text.matchAll(/(?<=@name |@ref |^@)\w+/gm)].map(({ index }) => index)
        const places = [...mentions.map(({ start }) => start), ...words]
        const offset = places[pick % Math.max(1, places.length)]
        if (offset === undefined) return
        const changes = rename(document, positionAt(document.lines, offset), newName)
        if ("reason" in changes) return
        const renamed = openAll(edited(texts, changes))
        const after = namesOf(renamed.analysis.tree)
        expect(after.map((node) => valueKind(renamed, node))).toEqual(mentions.map((node) => valueKind(document, node)))
        expect(problemsOf(renamed)).toEqual(problemsOf(document))
        expect(renamed.analysis.requests.map(({ dependsOn }) => dependsOn)).toEqual(
          document.analysis.requests.map(({ dependsOn }) => dependsOn),
        )
      }),
      { numRuns: runs(1_000) },
    )
  })
})

const isRef = ({ lines }: AnalysedText, { line }: Position): boolean =>
  lines.text.slice(lines.starts[line]).startsWith("# @ref")

/** A result is identified by the place of its request, which a longer name moves. */
const valueKind = (document: AnalysedText, node: NameExpr): string => {
  const value = valueOf(document, node)
  return value._tag === "Value" && typeof value.value === "number" && value.value < 1_000 ? shown(value) : value._tag
}

/** A new name ends the warning that it hides another one, and the error that two requests have it. */
const problemsOf = ({ analysis, lines }: AnalysedText): ReadonlySet<string> =>
  new Set(
    analysis.diagnostics
      .filter(({ code }) => code !== "A403" && code !== "L105")
      .map(({ code, severity, start }) => `${positionAt(lines, start).line} ${severity} ${code}`),
  )
