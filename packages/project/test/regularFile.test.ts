import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folderNames, openProject, readTextFile, readTextFileSync } from "../src/node/index.ts"
import { folderWith } from "./folder.ts"

describe("a file that is not one", () => {
  const check = (name: string, make: (path: string) => void, expected: unknown) =>
    it(name, async () => {
      const path = join(folderWith({}), "bomb")
      make(path)
      expect(readTextFileSync(path)).toEqual(expected)
      expect(await readTextFile(path)).toEqual(expected)
    })
  const notRegular = { problem: "is not a regular file" }
  check("may be missing", () => {}, undefined)
  check("may be a folder", (path) => mkdirSync(path), { problem: "is a folder, not a file" })
  check("may be a pipe that nobody writes into", (path) => execFileSync("mkfifo", [path]), notRegular)
  check("may be a device without an end", (path) => symlinkSync("/dev/zero", path), notRegular)
  check("may be a link to itself", (path) => symlinkSync(path, path), {
    problem: "is a symbolic link that leads back to itself",
  })
  check(
    "may be larger than any text",
    (path) => {
      writeFileSync(path, "")
      truncateSync(path, 5e9)
    },
    { problem: "is larger than 16 MB" },
  )
  check(
    "may be an ordinary one all the same",
    (path) => writeFileSync(path, "a\u{1F600}b".repeat(50_000)),
    "a\u{1F600}b".repeat(50_000),
  )

  it("may be a socket", async () => {
    const path = join(folderWith({}), "socket")
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(path, resolve))
    expect(await readTextFile(path)).toEqual(notRegular)
    await new Promise((resolve) => server.close(resolve))
  })

  it("is a problem of the project that has it as its configuration or as its .env", async () => {
    const folder = folderWith({})
    execFileSync("mkfifo", [join(folder, "rpc.config.json"), join(folder, ".env")])
    await expect(openProject(folder)).rejects.toThrow(
      /rpc\.config\.json: the configuration file is not a regular file\n.*\.env: is not a regular file/,
    )
  })

  it("is not a problem as a folder named .env", async () => {
    const folder = folderWith({ "rpc.config.json": "{}", ".env/pyvenv.cfg": "" })
    expect((await openProject(folder)).problems).toEqual([])
  })
})

describe("the names of a folder", () => {
  const folder = folderWith(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.json`, ""])))
  const check = (name: string, path: string, limit: number | undefined, expected: number) =>
    it(name, async () => expect(await folderNames(path, limit)).toHaveLength(expected))
  check("are all of a small one", folder, undefined, 30)
  check("are as many as asked for of a large one", folder, 7, 7)
  check("are none of a folder that is not there", join(folder, "missing"), undefined, 0)
})
