/** docs/tour.md, followed to the letter: its commands print what it shows, except times and what is left of a day. */
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"
import { startGateway } from "./httpGateway.ts"

afterAll(removeFolders)

const page = readFileSync(join(import.meta.dirname, "../../../docs/tour.md"), "utf8")
const blocks = [...page.matchAll(/(?:^(.+)\n\n)?^```(\w+)[^\n]*\n([^]*?)^```$/gm)]

const plain = (text: string): string =>
  text
    .replace(/[\d.]+ m?s(?= ·)/g, "TIME")
    .replace(/ · [\d,]+ left .*/g, "")
    .replace(/127\.0\.0\.1:\d+/g, "HOST")
    .replace(/ +/g, " ")
    .trim()

const wordsOf = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "")

/** What a command of the page prints. A line may set a variable before it, or write a file with `echo`. */
const outputOf = async (cwd: string, env: Record<string, string>, line: string): Promise<string> => {
  const [first = "", ...rest] = wordsOf(line)
  if (first === "echo") {
    appendFileSync(join(cwd, rest[2] ?? ""), `${rest[0]}\n`)
    return ""
  }
  const [name, value] = first.split("=")
  const set = value === undefined ? env : { ...env, [name ?? ""]: value }
  const args = value === undefined ? rest : rest.slice(1)
  const { stderr, stdout } = await startAt({ cwd, env: set }, ...args).outcome
  return `${stderr}\n${stdout}`
}

it("the tour shows what its commands print", async () => {
  const cwd = temporaryFolder()
  const env = { XDG_CACHE_HOME: temporaryFolder(), XDG_DATA_HOME: temporaryFolder(), DOTRPC_ALLOW_HOSTS: "" }
  const gateway = await startGateway()
  const scan = /^dotrpc scan .* --dry-run$/m.exec(page)?.[0] ?? ""
  let printed: Array<string> = []
  for (const [, before = "", language, code = ""] of blocks) {
    if (language === "rpc" || language === "json") {
      const file = /Save this as `([\w.]+)`/.exec(before)?.[1] ?? "tour.rpc"
      appendFileSync(join(cwd, file), `\n${code.replace("http://127.0.0.1:8645", new URL(gateway.url).origin)}`)
    } else if (language === "sh") {
      for (const line of code
        .trim()
        .split("\n")
        .filter((each) => !each.startsWith("dotrpc gateway")))
        printed.push(await outputOf(cwd, env, line))
    } else {
      if (before.includes("The first command now")) printed.push(await outputOf(cwd, env, scan))
      if (before.includes("`--max-credits 300`"))
        printed.push(await outputOf(cwd, env, "CI=1 dotrpc run . --env late --max-credits 300"))
      const output = plain(printed.join("\n")).split("\n")
      for (const line of plain(code).split("\n"))
        expect(output).toContainEqual(expect.stringContaining(line.replace(/…$/, "")))
      printed = []
    }
  }
  gateway.close()
})
