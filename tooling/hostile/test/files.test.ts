/** Files and projects that are made to hang or overflow anyone who reads them: the commands that read, and the language server. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folderBombs, textBombs } from "@dotrpc/bombs"
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Bounds, dotrpc, type Outcome, startDotrpc } from "../src/Command.ts"
import { recordFigure } from "../src/Figures.ts"
import { chosenByKind, firstWord } from "../src/kinds.ts"
import { startLanguageServer } from "../src/LanguageServer.ts"
import { makeProject, type Project } from "../src/Project.ts"
import { wrongOutcome } from "../src/Verdict.ts"

const bounds: Bounds = { seconds: 30, megabytes: 1_500 }
/** All is well, something is to be formatted, or something is wrong with the file. */
const codes = new Set([0, 1, 2])

/** A group of texts may take no more than a large project: what one of them takes must not be lost among all the others. */
const groupBounds: Bounds = { seconds: 12, megabytes: 800 }

/** A process for each text would take most of its time to start. */
const textsInGroup = 9

/** Of these there are many kinds: some of them are kinds of their own. */
const ownKinds = new Set(["many-sections", "many-unknown-names", "many-imports", "one-string"])
const chosenTexts = chosenByKind(textBombs, (bomb) => (ownKinds.has(bomb.name) ? bomb.name : firstWord(bomb)))
const chosenFolders = chosenByKind(folderBombs, firstWord)

const groups = Array.from({ length: Math.ceil(chosenTexts.length / textsInGroup) }, (_, index) =>
  chosenTexts.slice(index * textsInGroup, (index + 1) * textsInGroup),
)

const textFile = (group: number, name: string): string => join(project.folder, "texts", `${group}`, `${name}.rpc`)

let project: Project
beforeAll(() => {
  project = makeProject({ "rpc.config.json": "{}" })
  for (const [index, texts] of groups.entries()) {
    mkdirSync(join(project.folder, "texts", `${index}`), { recursive: true })
    for (const { name, text } of texts) writeFileSync(textFile(index, name), text())
  }
  mkdirSync(join(project.folder, "folders"))
  for (const { make, name } of chosenFolders) {
    const folder = join(project.folder, "folders", name)
    mkdirSync(folder)
    make(folder)
  }
})
afterAll(() => project[Symbol.dispose]())

const run = async (
  group: string,
  name: string,
  args: ReadonlyArray<string>,
  within: Bounds = bounds,
): Promise<Outcome> => {
  const outcome = await dotrpc(args, project.place, within)
  recordFigure(group, name, outcome)
  return outcome
}

describe.concurrent("texts", () => {
  const wrongWith = async (name: string, args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const outcome = await run("texts of requests", name, args, groupBounds)
    return wrongOutcome(outcome, groupBounds, codes)
  }
  const check = (tried: typeof groups, ...args: ReadonlyArray<string>) => {
    for (const [index, texts] of tried.entries())
      it(`${texts[0]!.name} to ${texts.at(-1)!.name}: dotrpc ${args.join(" ")}`, async () => {
        const wrong = await wrongWith(`${args[0]} ${texts[0]!.name} …`, [...args, join("texts", `${index}`)])
        if (wrong.length === 0) return
        // Which of them it is.
        const alone: Record<string, ReadonlyArray<string>> = {}
        for (const { name } of texts)
          alone[name] = await wrongWith(`${args[0]} ${name}`, [...args, textFile(index, name)])
        expect({ together: wrong, alone: Object.entries(alone).filter(([, found]) => found.length > 0) }).toEqual({
          together: [],
          alone: [],
        })
      })
  }
  // Each command and each format once: what takes long is the analysis, which is the same for both formats, and for a run.
  check(groups, "check")
  check(groups, "fmt", "--check")
  check(isDeep ? groups : groups.slice(0, 1), "run", "--dry-run", "--format", "json")
})

describe.concurrent("projects", () => {
  const check = (name: string, ...args: ReadonlyArray<string>) =>
    it(`${name}: dotrpc ${args.join(" ")}`, async () => {
      const outcome = await run("projects", name, [...args, join("folders", name, "main.rpc")])
      expect(wrongOutcome(outcome, bounds, codes)).toEqual([])
    })
  for (const { name } of chosenFolders) {
    check(name, "check")
    // It reads a project as the other one does.
    if (isDeep || name.startsWith("pipe")) check(name, "run", "--dry-run")
  }
})

describe("the language server", () => {
  it("reports the problems of every text, and keeps answering", async () => {
    const server = await startLanguageServer(project.place, { ...bounds, seconds: 120 })
    const slow: Array<string> = []
    const texts = groups.flatMap((group, index) => group.map((bomb) => ({ ...bomb, path: textFile(index, bomb.name) })))
    for (const { name, path, text } of texts) {
      const opened = await server.open(path, text())
      const textDocument = { uri: `file://${path}` }
      const asked = await server.ask("textDocument/hover", { textDocument, position: { line: 0, character: 2 } })
      const lenses = await server.ask("textDocument/codeLens", { textDocument })
      if (Math.max(opened, asked, lenses) > 5) slow.push(`${name}: ${[opened, asked, lenses].join(", ")} s`)
    }
    const outcome = await server.stop()
    recordFigure("texts of requests", "lsp", outcome)
    expect([slow, outcome.exceeded]).toEqual([[], undefined])
  })
})

describe("a signal", () => {
  /** Megabytes that a command has at the moment of the signal: as it starts, and while it reads and analyses. */
  const moments = isDeep ? [30, 120, 200, 300] : [120]
  const check = (...args: ReadonlyArray<string>) =>
    it(`ends it at any moment: dotrpc ${args.join(" ")}`, async () => {
      for (const moment of moments) {
        const running = startDotrpc([...args, "texts"], project.place, bounds)
        while (!running.hasEnded() && running.megabytes() < moment)
          await new Promise((resolve) => setTimeout(resolve, 5))
        const before = running.seconds()
        running.send("SIGTERM")
        const { exceeded, seconds } = await running.ended
        expect([exceeded, seconds - before < 5]).toEqual([undefined, true])
      }
    })
  check("check")
  if (isDeep) check("run", "--dry-run")
})
