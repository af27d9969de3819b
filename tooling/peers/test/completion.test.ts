/** What a tab key completes, in real shells on a real terminal. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type InteractiveShell, type ShellName, startShell } from "../src/InteractiveShell.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-completion-"))
for (const name of ["requests", "other requests"]) {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, "deep.rpc"), "")
}
for (const name of ["logs.rpc", "my file.rpc", "it's.rpc", "a$b (1).rpc", "größe.rpc"])
  writeFileSync(join(folder, name), "")
writeFileSync(join(folder, "rpc.config.json"), "{}")
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each<ShellName>(["bash", "zsh", "fish"])("%s completes", { retry: 1 }, (name) => {
  let shell: InteractiveShell
  beforeAll(async () => {
    shell = await startShell(name, folder)
  })
  afterAll(() => shell.stop())

  const check = (what: string, line: string, expected: ReadonlyArray<string>) =>
    it(`${what}: ${line.replaceAll("\t", "⇥")}`, async () => {
      const args = await shell.type(line)
      // Some shells keep the slash of a folder.
      expect(args.map((arg) => arg.replace(/\/$/, ""))).toEqual(expected)
    })

  check("a command", "dotrpc che\t", ["check"])
  check("a command of a command", "dotrpc credits s\t", ["credits", "set"])
  check("a command of a command that takes a file", "dotrpc import cu\tlo\t", ["import", "curl", "logs.rpc"])
  check("a flag", "dotrpc run --tra\tlogs.rpc", ["run", "--trace", "logs.rpc"])
  check("a flag's value", "dotrpc run --form\tjs\tlogs.rpc", ["run", "--format", "json", "logs.rpc"])
  check("a file", "dotrpc ru\tlo\t", ["run", "logs.rpc"])
  check("a second file", "dotrpc fmt logs.rpc my\t", ["fmt", "logs.rpc", "my file.rpc"])
  check("a file after a flag", "dotrpc fmt --chec\tlo\t", ["fmt", "--check", "logs.rpc"])
  check("a file in a folder", "dotrpc run re\tde\t", ["run", "requests/deep.rpc"])
  check("a file in a folder with a blank", "dotrpc run other\tde\t", ["run", "other requests/deep.rpc"])
  check("a file in a folder in quotes", 'dotrpc run "other\tde\t', ["run", "other requests/deep.rpc"])
  check("a path that begins with a dot", "dotrpc run ./lo\t", ["run", "./logs.rpc"])
  check("a name with a blank", "dotrpc run my\t", ["run", "my file.rpc"])
  check("a name with a blank in quotes", 'dotrpc run "my\t', ["run", "my file.rpc"])
  check("a name with a quote", "dotrpc run it\t", ["run", "it's.rpc"])
  check("a name with signs of the shell", "dotrpc run a\t", ["run", "a$b (1).rpc"])
  check("a name in another alphabet", "dotrpc run gr\t", ["run", "größe.rpc"])
  check("the file of a flag", "dotrpc run --config rp\tlogs.rpc", ["run", "--config", "rpc.config.json", "logs.rpc"])
  check("the file of a scan", "dotrpc scan eth_getLogs x --resume lo\t", [
    "scan",
    "eth_getLogs",
    "x",
    "--resume",
    "logs.rpc",
  ])
  check("a folder", "dotrpc trust re\t", ["trust", "requests"])
  check("nothing where there is nothing to complete", "dotrpc run none\t", ["run", "none"])
})
