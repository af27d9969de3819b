/** `docs/commands.md` lists the commands, and each has a page that says what its help says now. `UPDATE=1` writes them. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "./skill.ts"
import { helpOf, type Help, withWords } from "./helpText.ts"

const docs = join(root, "docs")

const code = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

/** Bars would end a cell. */
const cell = (text: string): string => text.replaceAll("|", "\\|")

const table = (title: string, entries: Help["flags"]): ReadonlyArray<string> =>
  entries.length === 0
    ? []
    : [
        [
          `| ${title} | |`,
          "|---|---|",
          ...entries.map(([name, words]) => `| \`${cell(name)}\` | ${cell(words)} |`),
        ].join("\n"),
      ]

/** A command and, below it, the commands that it has. A flag of all of these is listed once, with `shared` of the command above. */
const sectionsOf = async (
  words: ReadonlyArray<string>,
  shared: ReadonlySet<string> = new Set(),
): Promise<ReadonlyArray<string>> => {
  const { about, args, commands, examples, flags, usage } = await helpOf(...words)
  const [first, ...others] = await Promise.all(commands.map(([name]) => helpOf(...words, name)))
  const ofAll = (first?.flags ?? []).filter((flag) => others.every((other) => other.flags.some(isSame(flag))))
  const own = [
    `${"#".repeat(words.length)} dotrpc ${words.join(" ")}`,
    `${about}.`,
    code("text", usage),
    ...table("argument", args),
    ...table(
      "flag",
      flags.filter((flag) => !shared.has(String(flag))),
    ),
    ...table("flag of each", others.length === 0 ? [] : ofAll),
    ...(examples === "" ? [] : [code("sh", examples)]),
  ]
  const below = await Promise.all(
    commands.map(([name]) => sectionsOf([...words, name], new Set(others.length === 0 ? [] : ofAll.map(String)))),
  )
  return [...own, ...below.flat()]
}

const isSame =
  (left: Help["flags"][number]) =>
  (right: Help["flags"][number]): boolean =>
    String(left) === String(right)

const listOf = (commands: Help["commands"]): string => `# Commands

Each command has a page with its flags. [The command line](../apps/cli/README.md) says what they share.

| command | |
|---|---|
${commands.map(([name, words]) => `| [\`dotrpc ${name}\`](commands/${name}.md) | ${cell(words)} |`).join("\n")}
`

it("the pages of commands are generated from the commands and their flags as they are", async () => {
  const { commands } = await helpOf()
  const made = new Map([["commands.md", listOf(commands)]])
  for (const [name] of commands) made.set(`commands/${name}.md`, `${(await sectionsOf([name])).join("\n\n")}\n`)
  if (process.env["UPDATE"] !== undefined) {
    rmSync(join(docs, "commands"), { recursive: true, force: true })
    mkdirSync(join(docs, "commands"))
    for (const [name, text] of made) writeFileSync(join(docs, name), text)
  }
  const there = globSync(["commands.md", "commands/*.md"], { cwd: docs })
  expect(new Map(there.map((name) => [name, readFileSync(join(docs, name), "utf8")]))).toEqual(made)
  expect(made.size).toBeGreaterThan(20)
})

it("reads a flag whose words begin on the next line", () =>
  expect(
    withWords("  --name n   One, and\n             more\n  --a-long-name <of|many>\n      Words below it"),
  ).toEqual([
    ["--name n", "One, and more"],
    ["--a-long-name <of|many>", "Words below it"],
  ]))
