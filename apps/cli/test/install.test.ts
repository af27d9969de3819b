import { execFile } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { versionLine } from "../src/version.ts"
import { temporaryFolder } from "./folders.ts"

const root = join(import.meta.dirname, "../../..")
const isWindows = process.platform === "win32"

/** What a line of the README does, in folders of its own and without a network. */
const run = (line: string, cwd: string, prefix: string) =>
  promisify(execFile)(line, {
    cwd,
    shell: true,
    env: {
      ...process.env,
      npm_config_offline: "true",
      npm_config_prefix: prefix,
      PATH: `${isWindows ? prefix : join(prefix, "bin")}${isWindows ? ";" : ":"}${process.env["PATH"]}`,
    },
  })

describe("the way to install that the README shows", () => {
  const check = (line: string, document: string) =>
    it(`puts dotrpc on the PATH: ${line}`, async () => {
      expect(readFileSync(join(root, document), "utf8")).toContain(line)
      const prefix = temporaryFolder()
      await run(line, root, prefix)
      const { stdout } = await run("dotrpc --version", temporaryFolder(), prefix)
      expect(stdout).toBe(`${versionLine}\n`)
    })
  check("npm install --global ./apps/cli", "apps/cli/README.md")
})

/** Somebody else may publish a package of a name that is not registered yet. */
describe("no document installs a package of npm by a name of ours", () => {
  const pages = globSync(["*.md", "docs/**/*.md", "apps/*/README.md", "packages/*/README.md", "examples/**/*.md"], {
    cwd: root,
    exclude: (path) => path.includes("node_modules"),
  })
  const registered =
    /\bnpm (?:i|install|add|exec)\b[^`\n]*[ \t](?:@dotrpc\/|dotrpc(?=[\s`@]|$))|\bnpx (?:-\S+ )*@?dotrpc\b/gm
  it.each(pages)("%s", (page) => expect(readFileSync(join(root, page), "utf8").match(registered) ?? []).toEqual([]))
})
