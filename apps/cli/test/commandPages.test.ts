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

/** A command and, below it, the commands that it has. */
const sectionsOf = async (words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { about, args, commands, examples, flags, usage } = await helpOf(...words)
  const own = [
    `${"#".repeat(words.length)} dotrpc ${words.join(" ")}`,
    `${about}.`,
    code("text", usage),
    ...table("argument", args),
    ...table("flag", flags),
    ...(examples === "" ? [] : [code("sh", examples)]),
  ]
  const below = await Promise.all(commands.map(([name]) => sectionsOf([...words, name])))
  return [...own, ...below.flat()]
}

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
