import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dotrpc } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const script = async (shell: string): Promise<string> => (await dotrpc("--completions", shell)).stdout

/** As the package bash-completion prepares a completion, where words are split at blanks alone. */
const prepare = `_init_completion() {
  words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
  cur="\${words[cword]}" prev="\${words[cword-1]}"
}`

describe("completion in bash", () => {
  const check = (line: string, expected: ReadonlyArray<string>) =>
    it.skipIf(process.platform === "win32")(`of "${line}" is ${expected.join(", ")}`, async () => {
      const cwd = temporaryFolder()
      mkdirSync(join(cwd, "requests"))
      for (const name of ["logs.rpc", "logs.md", "rpc.config.json"]) writeFileSync(join(cwd, name), "")
      const words = line.split(" ")
      const typed = `COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}`
      const complete = `_dotrpc dotrpc "${words.at(-1)}" "${words.at(-2)}"; printf '%s\\n' "\${COMPREPLY[@]}"`
      const file = join(temporaryFolder(), "dotrpc.bash")
      writeFileSync(file, [prepare, await script("bash"), typed, complete].join("\n"))
      const found = execFileSync("bash", [file], { cwd, encoding: "utf8" }).trim().split("\n")
      expect(found.map((name) => name.replace(/\/$/, "")).toSorted()).toEqual(expected)
    })
  check("dotrpc run lo", ["logs.md", "logs.rpc"])
  check("dotrpc check logs.rpc re", ["requests"])
  check("dotrpc run --config rpc", ["rpc.config.json"])
  check("dotrpc trust r", ["requests"])
  check("dotrpc run --form", ["--format"])
})

describe("completion of file names", () => {
  const check = (shell: string, said: RegExp) =>
    it(`is part of the script for ${shell}`, async () => expect(await script(shell)).toMatch(said))
  check("zsh", /:file:_files/)
  check("fish", /-l config .*-r -F|-l config .*-F/)
  check("powershell", /name = 'config';.* pathType = 'file'/)
})

it("names of files arrive as they were typed", async () => {
  const { stderr } = await dotrpc("check", "./gone.rpc")
  expect(stderr).toBe('dotrpc: no file matches "./gone.rpc"\n')
})
