/** `docs/functions.md` says what every function is now, and its examples give what it says. `UPDATE=1` writes it. */
import { languageFunctions, rowFunctions } from "@dotrpc/analysis"
import { carriedPlugins } from "@dotrpc/project"
import type { PluginFunction } from "@dotrpc/spec"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"
import { root } from "./skill.ts"

afterAll(removeFolders)

/** With a call in whose section the functions are those of that group. */
const groups: ReadonlyArray<
  readonly [title: string, words: string, call: string, functions: ReadonlyArray<PluginFunction>]
> = [
  ["In every file", "They are the same on every network.", "# @network evm\neth_chainId", languageFunctions(0)],
  [
    "In checks",
    "They are about all items of a list (`[*]`) or, without `[*]`, about all rows of `# @each`.",
    "# @network evm\neth_chainId",
    rowFunctions,
  ],
  ...(
    [
      ["evm", "# @network evm\neth_chainId"],
      ["token-accounts", "# @network accounts\ngetSlot"],
      ["l2-events", "# @network l2\nl2_blockNumber"],
    ] as const
  ).map(
    ([id, call]) =>
      [
        `Of ${id}`,
        "They come with the plugin.",
        call,
        [...carriedPlugins.values()].find((plugin) => plugin.id === id)?.functions ?? [],
      ] as const,
  ),
]

/** Its fences are parts of a file, such as a line that says what an expression gives: shown, and not run. */
const entryOf = ({ docs, name, signature }: PluginFunction): string =>
  `### ${name}\n\n\`${signature}\`\n\n${docs.replaceAll("```rpc\n", "```rpc skip\n")}\n`

const page = (): string => `# Functions

An [expression](language.md#expressions) can call these. What stands in \`{{ }}\` becomes the value that is given after \`//\`. \`dotrpc explain NAME\` shows an entry of
this page, and so do the hover and the completion of an editor. A plugin of your own [adds others](plugins.md).

${groups.map(([title, words, , functions]) => `## ${title}\n\n${words}\n\n${functions.map(entryOf).join("\n")}`).join("\n")}`

it("docs/functions.md is generated from the functions as they are", () => {
  const path = join(root, "docs/functions.md")
  const text = page()
  if (process.env["UPDATE"] !== undefined) writeFileSync(path, text)
  expect(existsSync(path) ? readFileSync(path, "utf8") : "").toBe(text)
})

it("every function that a plugin adds is there", () => {
  const added = [...carriedPlugins.values()].flatMap(({ functions }) => functions)
  expect(added.filter((entry) => !groups.some(([, , , functions]) => functions.includes(entry)))).toEqual([])
})

describe("a function", () => {
  for (const { docs, name } of groups.flatMap(([, , , functions]) => functions))
    it(`${name} has an example that calls it`, () => {
      expect(/```rpc\n([^]*?)```/.exec(docs)?.[1]).toContain(`${name}(`)
    })
})

it("the examples give what they say", async () => {
  const sections = groups.flatMap(([, , call, functions]) =>
    functions.flatMap(({ docs, name }) =>
      [...docs.matchAll(/^\{\{(.+)\}\} +\/\/ ("[^"]*"|\d+)(?=,|$)/gm)].map(
        ([, expression = "", value = ""]) => `### ${name}\n${call}\n?? ${expression} == ${value}\n`,
      ),
    ),
  )
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "examples.rpc"), sections.join("\n"))
  const { stdout } = await startAt({ cwd }, "run", "examples.rpc", "--format", "json").outcome
  const requests: ReadonlyArray<Record<string, unknown>> = JSON.parse(stdout).files[0].requests
  expect(requests.filter(({ status }) => status !== "ok")).toEqual([])
  expect(requests.length).toBeGreaterThan(7)
})
