import { describe, expect, it } from "vitest"
import { quoteFor, type Shell, shellOf } from "../src/Shell.ts"

describe("the shell", () => {
  const check = (what: string, env: Readonly<Record<string, string>>, platform: NodeJS.Platform, expected: Shell) =>
    it(`is ${expected} ${what}`, () => expect(shellOf(env, platform)).toBe(expected))
  const windows = String.raw`C:\Program Files\WindowsPowerShell\Modules;C:\WINDOWS\system32\WindowsPowerShell\v1.0\Modules`
  const own = String.raw`C:\Users\a\Documents`
  check("on Linux and a Mac", { SHELL: "/bin/zsh" }, "linux", "posix")
  check("where PowerShell runs there", { SHELL: "/bin/bash", PSModulePath: "/home/a/x:/opt/x" }, "linux", "pwsh")
  check("in a prompt of Windows", { PSModulePath: windows }, "win32", "cmd")
  check(
    "in Windows PowerShell",
    { PSModulePath: String.raw`${own}\WindowsPowerShell\Modules;${windows}` },
    "win32",
    "powershell",
  )
  check("in PowerShell 7", { PSModulePath: String.raw`${own}\PowerShell\Modules;${windows}` }, "win32", "pwsh")
  check("in Git Bash", { PSModulePath: windows, MSYSTEM: "MINGW64" }, "win32", "posix")
})

describe("a word", () => {
  const check = (word: string, expected: Readonly<Record<Shell, string>>) => {
    for (const shell of ["posix", "powershell", "pwsh", "cmd"] as const)
      it(`${word} for ${shell}`, () => expect(quoteFor(shell)(word)).toBe(expected[shell]))
  }
  check("eth_getLogs", { posix: "eth_getLogs", powershell: "eth_getLogs", pwsh: "eth_getLogs", cmd: "eth_getLogs" })
  check('[{"a":1}]', {
    posix: `'[{"a":1}]'`,
    powershell: String.raw`'[{\"a\":1}]'`,
    pwsh: `'[{"a":1}]'`,
    cmd: String.raw`"[{\"a\":1}]"`,
  })
  check("it's", { posix: String.raw`'it'\''s'`, powershell: "'it''s'", pwsh: "'it''s'", cmd: `"it's"` })
  check("a b\\", { posix: "'a b\\'", powershell: "'a b\\'", pwsh: "'a b\\'", cmd: '"a b\\\\"' })
  check("a,b", { posix: "a,b", powershell: "'a,b'", pwsh: "'a,b'", cmd: '"a,b"' })
})
