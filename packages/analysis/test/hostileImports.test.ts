/** Imports and ABI files of a project that is hostile: each is an error soon, and nothing is asked of another machine. */
import { parse } from "@dotrpc/lang"
import { describe, expect, it } from "vitest"
import { analyze, importedUri, readAbiFiles, readSources } from "../src/index.ts"
import { workspace } from "./workspace.ts"

describe("the address of an import", () => {
  const check = (path: string, expected: string | undefined, from = "file:///p/a.rpc") =>
    it(`of ${path} in ${from} is ${expected ?? "none"}`, () => expect(importedUri(path, from)).toBe(expected))
  check("./b.rpc", "file:///p/b.rpc")
  check("/b.rpc", "file:///b.rpc")
  check("//host/b.rpc", undefined)
  check(String.raw`\\host\share\b.rpc`, undefined)
  check(String.raw`/\host\share\b.rpc`, undefined)
  check("/..//host/b.rpc", undefined)
  check("..//..//host/b.rpc", undefined)
  check("file://host/b.rpc", undefined)
  check("file:///etc/passwd", undefined)
  check("http://127.0.0.1:1/b.rpc", undefined)
  check("data:text/plain,x", undefined)
  check("./b.rpc", "vscode-remote://ssh+host/p/b.rpc", "vscode-remote://ssh+host/p/a.rpc")
  check("//other/b.rpc", undefined, "vscode-remote://ssh+host/p/a.rpc")
  check("./b.rpc", undefined, "untitled:Untitled-1")
})

/** Reads the files that a made-up project has, and counts them. */
const readAll = async (main: string, textOf: (name: string) => string | { problem: string } | undefined) => {
  const asked: Array<string> = []
  const text = (uri: string) => {
    asked.push(uri)
    return Promise.resolve(textOf(uri.slice("file:///p/".length)))
  }
  const read = async (uri: string) => {
    const found = await text(uri)
    return typeof found === "string" ? parse(found) : found
  }
  const parsed = parse(main)
  const sources = await readSources("file:///p/main.rpc", parsed, read, text)
  const { diagnostics } = analyze(parsed, workspace(), { sources })
  return { asked: asked.length, messages: [...new Set(diagnostics.map(({ message }) => message))] }
}

const importing = (...names: ReadonlyArray<string>) => names.map((name) => `# @import ./${name}\n`).join("")
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `f${index}.rpc`)

describe("what a file leads to", () => {
  const tooMany = "is not read: this file imports more than 200 others, directly or indirectly"

  const tooMuch = { problem: "is not read: the files that this file imports have more than 16 MB in total" }

  it("is read up to 200 files, in parallel", async () => {
    const { asked, messages } = await readAll(importing(...numbered(10_000)), () => "@a = 1\n")
    expect(asked).toBe(200)
    expect(messages).toContain(`./f0.rpc ${tooMany}`)
    expect(messages).toContain(`./f9999.rpc ${tooMany}`)
  })

  it("is read up to 200 files, one through the other", async () => {
    const next = (name: string) => importing(`f${Number(/\d+/.exec(name)?.[0]) + 1}.rpc`)
    const { asked, messages } = await readAll(importing("f0.rpc"), next)
    expect(asked).toBe(200)
    expect(messages).toEqual([`./f0.rpc ${tooMany}`])
  })

  it("may lead in as many cycles as there are files", async () => {
    const all = importing(...numbered(40))
    const { asked, messages } = await readAll(all, () => all)
    expect(asked).toBe(40)
    expect(messages).toEqual([])
    const own = await readAll(importing("main.rpc"), () => importing("main.rpc"))
    expect(own.messages).toEqual(["files import each other in a cycle: main.rpc → main.rpc"])
  })

  it("is read up to 16 MB in total", async () => {
    const parsed = parse(
      `### a\n${numbered(4)
        .map((name) => `# @abi ./${name}.json\n`)
        .join("")}`,
    )
    const none = () => Promise.resolve(undefined)
    const { unreadable } = await readSources("file:///p/main.rpc", parsed, none, () =>
      Promise.resolve(" ".repeat(6_000_000)),
    )
    expect([...(unreadable ?? [])]).toEqual(numbered(4).map((name) => [`file:///p/${name}.json`, tooMuch]))
  })

  it("may be no regular file, which is reported where it is named", async () => {
    const main = "# @import ./pipe.rpc\n### a\n# @abi ./pipe.json\neth_getLogs {}\n"
    const { messages } = await readAll(main, () => ({ problem: "is not a regular file" }))
    expect(messages).toContain("./pipe.rpc is not a regular file")
    expect(messages.join("\n")).toContain("./pipe.json is not a regular file")
  })
})

describe("the pattern of ABI files", () => {
  const names = (pattern: string, folder: ReadonlyArray<string>) =>
    readAbiFiles({ abi: [pattern] }, "file:///p/rpc.config.json", {
      listFolder: () => Promise.resolve(folder),
      readFile: () => Promise.resolve("[]"),
    }).then((files) => files.map(({ name }) => name))
  const check = (pattern: string, folder: ReadonlyArray<string>, expected: ReadonlyArray<string>) =>
    it(`${pattern} finds ${expected.join(", ")}`, async () => expect(await names(pattern, folder)).toEqual(expected))
  check("./*.json", ["b.json", "a.json", "a.txt"], ["./a.json", "./b.json"])
  check("./*a*a.json", ["a.json", "aa.json", "a-a.json", "aa.json.x"], ["./a-a.json", "./aa.json"])
  check("./a*ab", ["ab", "aab", "abab"], ["./aab", "./abab"])
  check("./(*", ["(x", "x"], ["./(x"])

  const tree: Readonly<Record<string, ReadonlyArray<string>>> = {
    "": ["abi/", "node_modules/", ".git/", "top.json"],
    "abi/": ["a.json", "b.txt", "deep/", "linked"],
    "abi/deep/": ["c.json", "x.json/"],
    "abi/deep/x.json/": ["d.json"],
    "node_modules/": ["e.json"],
    ".git/": ["f.json"],
  }
  const found = async (pattern: string) => {
    const listed: Array<string> = []
    const files = await readAbiFiles({ abi: [pattern] }, "file:///p/rpc.config.json", {
      listFolder: (uri) => {
        const folder = uri.slice("file:///p/".length)
        listed.push(folder)
        return Promise.resolve(tree[folder] ?? [])
      },
      readFile: () => Promise.resolve("[]"),
    })
    expect(listed).toEqual([...new Set(listed)])
    return files.map(({ name }) => name)
  }
  const checkTree = (pattern: string, expected: ReadonlyArray<string>) =>
    it(`${pattern} finds ${expected.join(", ")}`, async () => expect(await found(pattern)).toEqual(expected))
  checkTree("./**/*.json", ["./abi/a.json", "./abi/deep/c.json", "./abi/deep/x.json/d.json", "./top.json"])
  checkTree("**/**/d*.json", ["abi/deep/x.json/d.json"])
  checkTree("./abi/**/c.json", ["./abi/deep/c.json"])
  checkTree("./a*/deep/*.json", ["./abi/deep/c.json"])
  checkTree("./.g*/*.json", ["./.git/f.json"])
  checkTree("./node_modules/*.json", ["./node_modules/e.json"])
  checkTree("./abi/**", [
    "./abi/a.json",
    "./abi/b.txt",
    "./abi/deep/c.json",
    "./abi/deep/x.json/d.json",
    "./abi/linked",
  ])
  checkTree("./none/**/*.json", ["./none/**/*.json"])

  it("covers a limited number of folders", async () => {
    let listed = 0
    const files = await readAbiFiles({ abi: ["./**/*.json"] }, "file:///p/rpc.config.json", {
      listFolder: () => {
        listed++
        return Promise.resolve(["a/", "b/"])
      },
      readFile: () => Promise.resolve("[]"),
    })
    expect(listed).toBe(2_000)
    expect(files.at(-1)?.problem).toBe("covers more than 2,000 folders: name a deeper folder")
  })

  it("costs no more the more stars it has", async () => {
    const pattern = `./${"*a".repeat(60)}*b`
    expect(await names(pattern, ["a".repeat(255)])).toEqual([pattern])
  })

  it("leads to a thousand files at most", async () => {
    const files = await readAbiFiles({ abi: ["./*"] }, "file:///p/rpc.config.json", {
      listFolder: () => Promise.resolve(Array.from({ length: 5_000 }, (_, index) => `${index}.json`)),
      readFile: () => Promise.resolve("[]"),
    })
    expect(files).toHaveLength(1_001)
    expect(files.at(-1)?.problem).toBe("is not read: a project may have 1,000 ABI files")
  })
})
