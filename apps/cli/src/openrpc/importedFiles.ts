/** The package that is generated from an OpenRPC document. */
import { Json } from "@dotrpc/spec"
import { format } from "@dotrpc/lang"
import { type Files, json, packageFiles } from "../scaffold/packageFiles.ts"
import type { PluginName } from "../scaffold/PluginName.ts"
import { escapedJson } from "../render/border.ts"
import { list, print, sequence } from "./code.ts"
import type { OpenRpcDocument } from "./Document.ts"
import { distinct, methodIdentifier } from "./identifiers.ts"
import { Examiner } from "./misfit.ts"
import { mayChange } from "@dotrpc/analysis"
import { type Example, examplesOf, methodSource, readsOnly } from "./methodSource.ts"
import { componentsSource, quote } from "./schemaSource.ts"

export interface ImportOptions {
  readonly name: PluginName
  /** What each method is assumed to cost. */
  readonly credits: number
  readonly local: boolean
}

/** The files, everything of the document that they do not hold, and a request of `example.rpc` to begin with. */
export const importedFiles = (
  document: OpenRpcDocument,
  { credits, local, name }: ImportOptions,
): { readonly files: Files; readonly warnings: ReadonlyArray<string>; readonly request: string | undefined } => {
  const { components } = document
  const warnings = [...document.warnings]
  const examiner = new Examiner(components)
  const constants = distinct(document.methods.map((method) => methodIdentifier(method.name)))
  const methods = document.methods.map((method, index) => {
    const found = examplesOf(method, examiner)
    for (const warning of found.warnings) warnings.push(warning)
    const constant = constants[index] ?? methodIdentifier(method.name)
    const code = methodSource(method, found.examples, { plugin: name.id, constant, credits, components })
    return { method, constant, examples: found.examples, code }
  })
  const schemas = componentsSource(components)
  const goldens = methods.flatMap(({ constant, examples, method }) => {
    const text = goldenText(method.name, examples)
    return text === undefined ? [] : [[`test/io/${constant}.io`, text] as const]
  })
  const title = document.title.replace(/\s+/g, " ")
  const files: Files = {
    ...packageFiles(name, `The dotrpc plugin ${name.id}: ${title}`, local),
    "README.md": readme(name, document, credits),
    "rpc.config.json": json({
      plugins: ["./dist/index.js"],
      networks: { [name.id]: { plugin: name.id, url: document.url } },
      ledger: "memory",
    }),
    "example.rpc": exampleText(name.id, methods),
    "src/index.ts": `/** The dotrpc plugin ${name.id}. */
${methods.map(({ constant }) => `export { ${constant} } from "./methods/${constant}.ts"\n`).join("")}export { plugin, plugin as default } from "./plugin.ts"
`,
    "src/plugin.ts": `/** The plugin, as one value. */
import { definePlugin } from "@dotrpc/spec"
${methods.map(({ constant }) => `import { ${constant} } from "./methods/${constant}.ts"\n`).join("")}
export const plugin = definePlugin({
  id: ${quote(name.id)},
  title: ${quote(title)},
  docs: ${quote(document.description.replace(/\s+/g, " ") || title)},
  ${print(sequence("methods: ", list(methods.map(({ constant }) => constant))), 2)},
})
`,
    ...Object.fromEntries(methods.map(({ code, constant }) => [`src/methods/${constant}.ts`, code])),
    ...(schemas.code === ""
      ? {}
      : {
          "src/schemas.ts": `/** The schemas that several methods share. */
${schemas.helpers.size === 0 ? "" : `import { ${[...schemas.helpers].join(", ")} } from "@dotrpc/spec"\n`}import { Schema } from "effect"
${schemas.numbers.size === 0 ? "" : `import { ${[...schemas.numbers].toSorted().join(", ")} } from "./numbers.ts"\n`}
${schemas.code}`,
        }),
    "src/numbers.ts": numbers,
    "test/plugin.test.ts": `import { describePlugin } from "@dotrpc/plugin-kit/vitest"
import { plugin } from "../src/index.ts"

describePlugin(plugin${goldens.length === 0 ? "" : ', { goldens: new URL("io/", import.meta.url) }'})
`,
    ...Object.fromEntries(goldens),
  }
  const requests = methods.filter(({ examples }) => examples.length > 0)
  const request = (
    requests.find(({ method }) => readsOnly(method.name)) ?? requests.find(({ method }) => !mayChange(method.name))
  )?.constant
  // In a string of code or JSON an escape is the same value, and anywhere else it is to be seen.
  const written = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, escapedJson(text)]))
  return { files: written, warnings: [...new Set(warnings)], request }
}

const goldenText = (method: string, examples: ReadonlyArray<Example>): string | undefined => {
  const exchanges = examples.flatMap(({ params, result, title }, index) => {
    if (result === undefined) return []
    const request = Json.stringify({ jsonrpc: "2.0", id: index + 1, method, params })
    const reply = Json.stringify({ jsonrpc: "2.0", id: index + 1, result })
    return [`// ${title.replace(/\s+/g, " ")}\n>> ${request}\n<< ${reply}\n`]
  })
  return exchanges.length === 0 ? undefined : ["// From the examples of the document.\n", ...exchanges].join("\n")
}

const exampleText = (
  network: string,
  methods: ReadonlyArray<{
    readonly method: { readonly name: string }
    readonly constant: string
    readonly examples: ReadonlyArray<Example>
  }>,
): string => {
  const sections = methods.flatMap(({ constant, examples: [example], method }) =>
    example === undefined
      ? []
      : [
          `### ${method.name}: ${example.title.replace(/\s+/g, " ")}\n# @name ${constant}\n${method.name} ${Json.stringify(example.params, 2).replaceAll("{{", "{\\u007b")}\n`,
        ],
  )
  return format(
    [`# Run one of these:  dotrpc run example.rpc --trust --name NAME\n# @network ${network}\n`, ...sections].join(
      "\n",
    ),
  )
}

const numbers = `/** Numbers with every digit: what a JavaScript number cannot hold arrives as a bigint, or with its own text. */
import { Json } from "@dotrpc/spec"
import { Schema } from "effect"

export interface Bounds {
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  readonly above?: number | bigint
  readonly below?: number | bigint
}

export const number = (bounds: Bounds = {}) => exact("a number", () => true, bounds)

export const integer = (bounds: Bounds = {}) =>
  exact("a whole number", (value) => typeof value === "bigint" || Number.isInteger(Number(value)), bounds)

/** \`1.0\` or \`1e400\`: a number with its own text. */
export interface NumberText extends Json.JsonNumber {}

type Exact = number | bigint | NumberText

const exact = (what: string, holds: (value: Exact) => boolean, bounds: Bounds) => {
  const { above, below, maximum, minimum } = bounds
  const within = (value: number | bigint) =>
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (above === undefined || value > above) &&
    (below === undefined || value < below)
  const limits = Object.entries(bounds).map(([name, bound]) => \`\${name} \${bound}\`)
  return Schema.declare(
    (value): value is Exact =>
      (typeof value === "number" || typeof value === "bigint" || value instanceof Json.JsonNumber) &&
      holds(value) &&
      within(typeof value === "bigint" ? value : Number(value)),
  ).annotate({ expected: [what, ...limits].join(", ") })
}
`

const readme = (
  { id, packageName }: PluginName,
  { methods, title, version }: OpenRpcDocument,
  credits: number,
): string => `# ${packageName}

The dotrpc plugin \`${id}\`: the ${methods.length} methods of ${title}${version === "" ? "" : ` ${version}`}, from its OpenRPC document.

\`\`\`sh
npm install
npm test         # the conformance checks, and the document's own examples as golden files in test/io
npm run build    # then: dotrpc run example.rpc --trust --name NAME
\`\`\`

It is source to be read and changed. Worth a look first:

- \`rpc.config.json\` needs the \`url\` of a node, where the document gives none.
- Every price is assumed to be ${credits} credits: \`Price.published\` is for those the provider states.
- \`idempotent\` is true only where the name says that the method reads. Other methods are not sent again after a failure.
- Results are rendered by \`Table.tableOf\`: your own columns are worth writing for the methods you use most.
- Objects in params take the members that the document names. Another one is a warning, and an error where the document
  says \`additionalProperties: false\`; where it allows others, it is neither.
`
