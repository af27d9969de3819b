import { chownSync, mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openProject, projectRoot, readProject, readTextFileWithin, readTextFileWithinSync } from "../src/node/index.ts"
import { folderWith } from "./folder.ts"

const files = {
  ".aws/credentials": "key",
  "beside.txt": "another project's",
  "mine/rows.txt": "rows",
  "mine/below/more.txt": "more",
  "mine/.env": "KEY=1",
  "mine/.env.local": "KEY=2",
  "mine/.git/config": "[remote]",
  "mine/node_modules/.pnpm/erc20@1/abi.json": "[]",
}

/** Only a superuser can give files away. */
const isSuperuser = process.getuid?.() === 0
const stranger = 65_534

describe("a file that a text names", () => {
  const check = (
    what: string,
    name: string,
    expected: string | RegExp | undefined,
    { hidden, links = {}, given = [] }: Choices = {},
  ) =>
    it(what, async () => {
      const folder = folderWith(files)
      const home = join(folder, "mine")
      for (const [link, target] of Object.entries(links)) symlinkSync(target, join(home, link))
      for (const path of given) chownSync(join(home, path), stranger, stranger)
      for (const read of [
        await readTextFileWithin(home, join(home, name), { hidden }),
        readTextFileWithinSync(home, join(home, name), { hidden }),
      ])
        if (expected instanceof RegExp) expect(read).toEqual({ problem: expect.stringMatching(expected) as unknown })
        else expect(read).toBe(expected)
    })
  interface Choices {
    readonly hidden?: string
    readonly links?: Readonly<Record<string, string>>
    readonly given?: ReadonlyArray<string>
  }
  const hiddenWay = /^is a hidden file or in a hidden folder/
  const outside = /^is outside the folder mine, /
  check("is read in the folder", "rows.txt", "rows")
  check("is read below it", "below/more.txt", "more")
  check("may be missing", "none.txt", undefined)
  check("is not read above it", "../beside.txt", outside)
  check("is not read with the way back", "below/../../beside.txt", outside)
  check("is not hidden", ".env", hiddenWay)
  check("is not in a hidden folder", ".git/config", hiddenWay)
  check("is hidden where it is known by that name", ".env", "KEY=1", { hidden: ".env" })
  check("is not hidden in a folder that is known by its name", ".git/config", hiddenWay, { hidden: ".git" })
  check("is in a package as pnpm keeps it", "token/abi.json", "[]", {
    links: { token: "node_modules/.pnpm/erc20@1" },
  })
  check("is not a file that is hidden among packages", "node_modules/.pnpm", /^is a folder/)
  check("is where a link leads in the folder", "a.txt", "more", { links: { "a.txt": "below/more.txt" } })
  check("is not what a link leads to above it", "a.txt", outside, { links: { "a.txt": "../beside.txt" } })
  check("is not what a link leads to in a hidden folder above", "a.txt", outside, {
    links: { "a.txt": "../.aws/credentials" },
  })
  check("is not what a link of a folder leads to", "up/beside.txt", outside, { links: { up: ".." } })
  check("is not what a link leads to that is hidden", "a.txt", hiddenWay, { links: { "a.txt": ".env" } })
  check("is not what a link leads to in a hidden folder", "a.txt", hiddenWay, { links: { "a.txt": ".git/config" } })
  check("is not what a chain of links leads to", "a.txt", hiddenWay, {
    links: { "a.txt": "b.txt", "b.txt": "below/../.env" },
  })
  check("is known by its name where a link leads to a similar one", ".env.now", "KEY=2", {
    hidden: ".env",
    links: { ".env.now": ".env.local" },
  })
  check("is not known by its name where a link leads above", ".env.now", outside, {
    hidden: ".env",
    links: { ".env.now": "../.aws/credentials" },
  })
  check("is not known by its name where a link leads to another hidden one", ".env.now", hiddenWay, {
    hidden: ".env",
    links: { ".env.now": ".git/config" },
  })
  if (isSuperuser) {
    check("is not another user's", "rows.txt", /^belongs to another user \(id 65534\)/, { given: ["rows.txt"] })
    check("is not another user's where a link leads", "a.txt", /^belongs to another user/, {
      given: ["rows.txt"],
      links: { "a.txt": "rows.txt" },
    })
    check("is of the user who owns the folder", "rows.txt", "rows", { given: ["rows.txt", "."] })
  }
})

describe("the folder in which a project names files", () => {
  const check = (what: string, made: Readonly<Record<string, string>>, from: string, expected: string) =>
    it(what, () => {
      const folder = folderWith({ "home/x": "", ...made })
      mkdirSync(join(folder, from), { recursive: true })
      expect(projectRoot(join(folder, from), { home: join(folder, "home") })).toBe(join(folder, expected))
    })
  const config = "{}"
  const head = "ref: refs/heads/main\n"
  check("is its repository", { "home/r/.git/HEAD": head, "home/r/p/rpc.config.json": config }, "home/r/p/q", "home/r")
  check("is that of its configuration", { "home/r/rpc.config.json": config }, "home/r/q", "home/r")
  check("is where the search for one ends", {}, "home/r/q", "home")
  check(
    "is not a home that is a repository",
    { "home/.git/HEAD": head, "home/r/rpc.config.json": config },
    "home/r",
    "home/r",
  )
  check(
    "is that of the nearest configuration",
    { "home/rpc.config.json": config, "home/r/rpc.config.json": config },
    "home/r",
    "home/r",
  )
})

describe("a configuration that is a link", () => {
  const check = (what: string, target: string, expected: string) =>
    it(what, async () => {
      const folder = folderWith({
        "mine/.git/HEAD": "ref: refs/heads/main",
        "mine/all.json": "{}",
        "mine/p/x": "",
        ".aws/credentials": "aws_access_key_id = canary",
      })
      const config = join(folder, "mine/p/rpc.config.json")
      symlinkSync(target, config)
      const { problems } = await readProject(config, join(folder, "mine/p"))
      expect(problems.map(({ message }) => message).join("\n")).toBe(expected)
    })
  check("is read where it leads to a file of its repository", "../all.json", "")
  check(
    "is not read where it leads out of it",
    "../../.aws/credentials",
    "the configuration file is a link that leads out of the folder mine: name the file itself",
  )
})

describe("a project", () => {
  const check = (what: string, config: object, links: Readonly<Record<string, string>>, expected: RegExp) =>
    it(`is refused for ${what}`, async () => {
      const folder = folderWith({
        "outside/a.json": '[{"type":"event","name":"A","inputs":[]}]',
        "outside/b.txt": "KEY=1",
        "p/rpc.config.json": JSON.stringify(config),
      })
      for (const [link, target] of Object.entries(links)) symlinkSync(target, join(folder, "p", link))
      await expect(openProject(join(folder, "p"))).rejects.toThrow(expected)
    })
  check("a .env that a link leads out of it", {}, { ".env": "../outside/b.txt" }, /\.env: is outside the folder p, /)
  check("an ABI above it", { abi: ["../outside/a.json"] }, {}, /a\.json is outside the folder p, /)
  check(
    "an ABI where a link leads",
    { abi: ["./a.json"] },
    { "a.json": "../outside/a.json" },
    /a\.json is outside the folder p, /,
  )
  check("ABIs in another folder", { abi: ["../outside/*.json"] }, {}, /is outside this project: copy the files there/)
  check(
    "a price sheet where a link leads",
    { prices: "./s.json" },
    { "s.json": "../outside/a.json" },
    /s\.json is outside the folder p, /,
  )
})
