import { execFileSync } from "node:child_process"
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { atOnce, inSlices } from "@dotrpc/spec"
import { AtomicFile } from "../src/node/index.ts"
import { folderWith } from "./folder.ts"

const root = mkdtempSync(join(tmpdir(), "dotrpc-files-"))
afterAll(() => rmSync(root, { recursive: true }))
let folders = 0
/** A folder with a file that must stay as it is. */
const place = () => {
  const folder = join(root, `${folders++}`)
  mkdirSync(folder)
  writeFileSync(join(folder, "victim"), "precious")
  return { folder, path: join(folder, "out"), victim: join(folder, "victim") }
}
type Place = ReturnType<typeof place>

const drafted = (path: string, links?: "follow" | "refuse"): void => {
  const draft = AtomicFile.draft(path, { links })
  draft.write(Buffer.from("te"))
  draft.write(Buffer.from("xt"))
  draft.commit()
}

const ways = {
  replace: (path: string, links?: "follow" | "refuse") => AtomicFile.replace(path, "text", { links }),
  draft: (path: string, links?: "follow" | "refuse") => drafted(path, links),
  open: (path: string, links?: "follow" | "refuse") => {
    const descriptor = AtomicFile.open(path, "empty", { links })
    writeSync(descriptor, "text")
    closeSync(descriptor)
  },
}

const refused = (name: string, prepare: (place: Place) => void, why: RegExp, links?: "follow" | "refuse") => {
  const all = { ...ways, rehearse: (path: string) => AtomicFile.rehearse(path, { links }) }
  for (const [way, write] of Object.entries(all))
    it(`${way} refuses ${name}`, () => {
      const at = place()
      prepare(at)
      const before = readdirSync(at.folder)
      expect(() => write(at.path, links)).toThrow(why)
      expect(readFileSync(at.victim, "utf8")).toBe("precious")
      expect(readdirSync(at.folder)).toEqual(before)
    })
}

describe("what is not a regular file", () => {
  refused("a planted link", ({ path, victim }) => symlinkSync(victim, path), /symbolic link; remove it/)
  refused("a link to nothing", ({ folder, path }) => symlinkSync(join(folder, "new"), path), /symbolic link/)
  refused(
    "a link to nothing that it would follow",
    ({ folder, path }) => symlinkSync(join(folder, "new"), path),
    /to nothing/,
    "follow",
  )
  refused("a folder", ({ path }) => mkdirSync(path), /it is a folder/)
  refused("a pipe without a reader, without waiting", ({ path }) => void execFileSync("mkfifo", [path]), /named pipe/)
  refused("a link to a device", ({ path }) => symlinkSync("/dev/zero", path), /it is a device/, "follow")
})

describe("a rehearsal", () => {
  it("leaves a file and its folder as they were", () => {
    const { folder, victim } = place()
    AtomicFile.rehearse(victim)
    AtomicFile.rehearse(join(folder, "new"))
    expect([readdirSync(folder), readFileSync(victim, "utf8")]).toEqual([["victim"], "precious"])
  })
  it("refuses a folder that no file can be created in", () =>
    expect(() => AtomicFile.rehearse("/proc/x", { links: "follow" })).toThrow(/ENOENT|EACCES/))
})

describe("a regular file", () => {
  for (const [way, write] of Object.entries(ways)) {
    it(`is written by ${way}, and nothing else stays behind`, () => {
      const { folder, path } = place()
      write(path)
      expect(readFileSync(path, "utf8")).toBe("text")
      write(path)
      expect(readdirSync(folder).toSorted()).toEqual(["out", "victim"])
    })
    it(`is written by ${way} through a link of the user's own, which stays a link`, () => {
      const { path, victim } = place()
      symlinkSync(victim, path)
      write(path, "follow")
      expect(readFileSync(victim, "utf8")).toBe("text")
      expect(lstatSync(path).isSymbolicLink()).toBe(true)
    })
  }
  it("keeps its mode when it is replaced", () => {
    const { path } = place()
    writeFileSync(path, "old", { mode: 0o640 })
    AtomicFile.replace(path, "new")
    expect(statSync(path).mode & 0o777).toBe(0o640)
  })
  it("is its owner's alone when it is private, whatever it was", () => {
    const { path } = place()
    writeFileSync(path, "old", { mode: 0o644 })
    AtomicFile.replace(path, "new", { private: true })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
  it("may have the longest name there is", () => {
    const path = join(place().folder, "n".repeat(255))
    AtomicFile.replace(path, "text")
    expect(readFileSync(path, "utf8")).toBe("text")
  })
  it("stays as it was when the new text does not fit", () => {
    const { folder, path } = place()
    writeFileSync(path, "old")
    const module = join(import.meta.dirname, "../src/node/AtomicFile.ts")
    const script = `import { replace } from ${JSON.stringify(module)}
      process.on("SIGXFSZ", () => {})
      try { replace(${JSON.stringify(path)}, "x".repeat(100_000)) } catch (error) { console.log(error.code) }`
    // By its sources, as what is built may be made again meanwhile.
    const said = execFileSync(
      "bash",
      ["-c", 'ulimit -f 8; exec "$0" --conditions=dotrpc-source --input-type=module -e "$1"', process.execPath, script],
      // What Node compiled does not fit either, and it would try to write it.
      { encoding: "utf8", env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" } },
    )
    expect(said).toBe("EFBIG\n")
    expect(readFileSync(path, "utf8")).toBe("old")
    expect(readdirSync(folder).toSorted()).toEqual(["out", "victim"])
  })
})

describe("a new file", () => {
  it("is never created through a link, nor over a file", () => {
    const { folder, path, victim } = place()
    symlinkSync(join(folder, "elsewhere"), path)
    expect(() => AtomicFile.create(path, "text")).toThrow("EEXIST")
    expect(() => AtomicFile.create(victim, "text")).toThrow("EEXIST")
    expect(existsSync(join(folder, "elsewhere"))).toBe(false)
    expect(readFileSync(victim, "utf8")).toBe("precious")
  })
})

describe("a text in pieces", () => {
  const pieces = () => Array.from({ length: 5 }, (_, index) => `piece ${index}\n`)
  const temporary = (folder: string) => readdirSync(folder).filter((name) => name.startsWith(".dotrpc-"))

  it("takes the place of a file when all of it is written", () => {
    const folder = folderWith({ "a.txt": "before" })
    const path = join(folder, "a.txt")
    const work = AtomicFile.replacing(path, pieces())
    work.next()
    expect([readFileSync(path, "utf8"), temporary(folder).length]).toEqual(["before", 1])
    while (work.next().done !== true);
    expect([readFileSync(path, "utf8"), temporary(folder)]).toEqual([pieces().join(""), []])
  })
  it("leaves the file as it was when the work is left before its end", async () => {
    const folder = folderWith({ "a.txt": "before" })
    const path = join(folder, "a.txt")
    let asked = 0
    const left = await inSlices(AtomicFile.replacing(path, pieces()), { isStale: () => asked++ > 1, sliceMillis: 0 })
    expect([left, readFileSync(path, "utf8"), temporary(folder)]).toEqual([undefined, "before", []])
  })
  it("leaves the file as it was when a piece cannot be made", () => {
    const folder = folderWith({ "a.txt": "before" })
    const path = join(folder, "a.txt")
    const broken = function* () {
      yield "piece"
      throw new Error("no more")
    }
    expect(() => atOnce(AtomicFile.replacing(path, broken()))).toThrow("no more")
    expect([readFileSync(path, "utf8"), temporary(folder)]).toEqual(["before", []])
  })
})

describe("a draft", () => {
  it("is seen by its name when it is committed, and not before", () => {
    const { folder, path } = place()
    const draft = AtomicFile.draft(path)
    draft.write(Buffer.from("text"))
    expect(existsSync(path)).toBe(false)
    draft.commit()
    draft.discard()
    expect(readFileSync(path, "utf8")).toBe("text")
    expect(readdirSync(folder)).toEqual(["out", "victim"])
  })

  it("leaves nothing when it is discarded, and the file as it was", () => {
    const { folder, path } = place()
    writeFileSync(path, "before")
    const draft = AtomicFile.draft(path)
    draft.write(Buffer.from("text"))
    draft.discard()
    draft.discard()
    expect(readFileSync(path, "utf8")).toBe("before")
    expect(readdirSync(folder)).toEqual(["out", "victim"])
  })
})
