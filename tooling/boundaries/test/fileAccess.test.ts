import { describe, expect, it } from "vitest"
import { findFileAccess } from "../src/fileAccess.ts"

const check = (path: string, text: string, expected: RegExp | undefined) =>
  it(`${expected === undefined ? "allows" : "refuses"} ${text} in ${path}`, () => {
    const found = findFileAccess([{ path, text }]).map((violation) => violation.message)
    if (expected === undefined) expect(found).toEqual([])
    else expect(found.join("\n")).toMatch(expected)
  })

describe("the file system", () => {
  const cli = "apps/cli/src/ScanFiles.ts"
  check(cli, 'import { readdirSync, rmSync } from "node:fs"', undefined)
  check(cli, 'import { readFileSync } from "node:fs"', /may not use "readFileSync": .*RegularFile/)
  check(cli, 'import { readFile as text } from "fs/promises"', /"readFile": .*RegularFile/)
  check(cli, 'process.getBuiltinModule("fs").createReadStream("a")', /"createReadStream": .*RegularFile/)
  check(cli, "host.readFile(uri)", undefined)
  check("packages/plugin-kit/src/vitest.ts", 'import { readFileSync } from "node:fs"', undefined)
  const anywhere = /: a file that a text of a project names is read by FileWithin/
  check("apps/cli/src/New.ts", 'import { readTextFile } from "@dotrpc/project/node"', anywhere)
  check("apps/cli/src/New.ts", 'import { readTextFileWithin } from "@dotrpc/project/node"', undefined)
  check("packages/project/src/node/New.ts", 'import { readRegularFileSync as read } from "./RegularFile.ts"', anywhere)
  check("packages/project/src/node/New.ts", 'import { type FileBytes } from "./RegularFile.ts"', undefined)
  check("apps/vscode/src/New.ts", 'import { readFileText } from "./project/readFile.ts"', anywhere)
  check("apps/vscode/src/New.ts", "vscode.workspace.fs.readFile(uri)", anywhere)
  check("apps/vscode/src/project/namedFiles.ts", 'import { readFileText } from "./readFile.ts"', undefined)
  check(cli, 'import { writeFileSync } from "node:fs"', /may not use "writeFileSync": .*AtomicFile/)
  check(cli, 'import { openSync as read } from "fs"', /"openSync"/)
  check(cli, 'import { rename } from "node:fs/promises"', /"rename"/)
  check(cli, 'import * as fs from "node:fs"', /"\*"/)
  check(cli, 'import fs from "node:fs"', /"\*"/)
  check(cli, 'process.getBuiltinModule("fs").writeFileSync("a.next", "")', /"writeFileSync"/)
  check(cli, "symbols.rename(place)", undefined)
  check(cli, 'import type { Stats } from "node:fs"', undefined)
  check("apps/vscode/src/new.ts", "vscode.workspace.fs.writeFile(uri, bytes)", /"writeFile"/)
  check("apps/vscode/test/new.ts", 'import { writeFileSync } from "node:fs"', undefined)
  check("packages/project/src/node/AtomicFile.ts", 'import { openSync, renameSync } from "node:fs"', undefined)
})
