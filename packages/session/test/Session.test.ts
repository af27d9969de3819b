/** One analysis of each text, however many ask, and none of what nobody wants any more. */
import type { FileText } from "@dotrpc/analysis"
import { Evm } from "@dotrpc/plugin-evm"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { makeProject, makeSession, type Project } from "../src/index.ts"

const uri = "file:///project/a.rpc"

const emptyProject = (): Project =>
  makeProject({
    plugins: { plugins: [Evm.plugin], problems: [] },
    env: () => undefined,
    secret: () => undefined,
    now: 0,
  })

const sectionsOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => `### ${index}\n@a = ${index}\neth_getLogs [{ "address": {{a}} }]\n`).join(
    "",
  )

const start = (files: Record<string, FileText> = {}, project = emptyProject()) => {
  const projects = { current: project, read: 0 }
  const session = makeSession(
    {
      loaded: async () => {
        projects.read++
        return projects.current
      },
      current: () => projects.current,
    },
    { readFile: (file) => Promise.resolve(files[file]) },
  )
  return { files, projects, session }
}

/** How many texts and analyses some work takes. */
const cost = async ({ session }: ReturnType<typeof start>, act: () => unknown) => {
  const before = session.counts()
  await act()
  const { analyses, texts } = session.counts()
  return { texts: texts - before.texts, analyses: analyses - before.analyses }
}

describe("a text is read and analysed once", () => {
  const check = (what: string, sections: number, act: (started: ReturnType<typeof start>) => unknown) =>
    it(`for ${what}`, async () => {
      const started = start()
      const { session } = started
      session.change(uri, sectionsOf(sections))
      await session.loaded(uri)
      for (const typed of ["a", "b", "c"]) {
        const key = async () => {
          session.change(uri, [{ range: { start: atEnd(sections), end: atEnd(sections) }, text: typed }])
          await act(started)
          // What a busy machine has not finished within the call ends here, and nothing begins again.
          await session.loaded(uri)
        }
        expect(await cost(started, key)).toEqual({ texts: 1, analyses: 1 })
      }
    })
  const atEnd = (sections: number) => ({ line: sections * 3, character: 0 })
  const ask = ({ session }: ReturnType<typeof start>) => [session.current(uri), session.loaded(uri)]

  check("one caller that waits", 3, ({ session }) => session.loaded(uri))
  check("one caller that asks immediately", 3, ({ session }) => session.current(uri))
  check("several callers in both ways", 3, (started) => Promise.all([...ask(started), ...ask(started)]))
  check("several, of a text that takes many slices", 3_000, (started) =>
    Promise.all([...ask(started), ...ask(started)]),
  )
  check("one who tells the same text again", 3, async (started) => {
    const { session } = started
    await Promise.all(ask(started))
    session.change(uri, session.textAt(uri)?.lines.text ?? "")
    await Promise.all(ask(started))
  })

  it("and all get the same analysis", async () => {
    const { session } = start()
    session.change(uri, sectionsOf(3))
    const [one, other] = await Promise.all([session.loaded(uri), session.loaded(uri)])
    expect(one?.analysis).toBe(other?.analysis)
    expect(session.current(uri)?.analysis).toBe(one?.analysis)
  })
})

describe("a text is analysed again", () => {
  const imports = `# @import ./b.rpc\n${sectionsOf(1)}`

  it("when its project is another", async () => {
    const started = start()
    started.session.change(uri, sectionsOf(1))
    await started.session.loaded(uri)
    started.projects.current = emptyProject()
    expect(await cost(started, () => started.session.loaded(uri))).toEqual({ texts: 0, analyses: 1 })
    expect(await cost(started, () => started.session.loaded(uri))).toEqual({ texts: 0, analyses: 0 })
  })

  it("when a file that it imports is another, and not when one is that it does not import", async () => {
    const started = start({ "file:///project/b.rpc": "@b = 1\n" })
    const { files, session } = started
    let told = 0
    session.onDidChange(() => told++)
    session.change(uri, imports)
    await session.loaded(uri)
    session.forget("file:///project/c.rpc")
    expect(await cost(started, () => session.loaded(uri))).toEqual({ texts: 0, analyses: 0 })
    files["file:///project/b.rpc"] = "@b = 2\n"
    told = 0
    session.forget("file:///project/b.rpc")
    expect(told).toBe(1)
    expect(await cost(started, () => session.loaded(uri))).toEqual({ texts: 0, analyses: 1 })
  })

  it("and has what is open of its imports, whatever the disk says", async () => {
    const started = start({ "file:///project/b.rpc": "@b = 1\n" })
    const { session } = started
    session.change(uri, `# @import ./b.rpc\n### A\neth_getLogs [{ "address": {{b}} }]\n`)
    session.change("file:///project/b%2Erpc", "@other = 1\n")
    const found = await session.loaded(uri)
    expect(found?.analysis.diagnostics.map(({ message }) => message).join()).toContain("b")
    session.close("file:///project/b%2Erpc")
    const later = await session.loaded(uri)
    expect(later?.analysis).not.toBe(found?.analysis)
  })
})

describe("an analysis", () => {
  // Each look at the clock takes a tenth of a millisecond, so that what takes a moment is counted in steps.
  let time = 0
  beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => (time += 0.1)))
  afterEach(() => void vi.restoreAllMocks())

  it("is done within the call that asks for it when it takes a hundred steps, and not when it takes more", async () => {
    const { session } = start()
    session.change(uri, sectionsOf(10))
    expect(session.current(uri)?.analysis.requests).toHaveLength(10)
    session.change(uri, sectionsOf(2_000))
    expect(session.current(uri)).toBeUndefined()
    expect((await session.loaded(uri))?.analysis.requests).toHaveLength(2_000)
    expect(session.current(uri)?.analysis.requests).toHaveLength(2_000)
  })

  it("lets what waits for its turn run in between", async () => {
    const { session } = start()
    session.change(uri, sectionsOf(2_000))
    const order: Array<string> = []
    setTimeout(() => order.push("something else"), 0)
    await session.loaded(uri).then(() => order.push("the analysis"))
    expect(order).toEqual(["something else", "the analysis"])
  })

  it("waits for that of another document, so that slices of both never follow each other", async () => {
    const { session } = start()
    session.change(uri, sectionsOf(2_000))
    session.change("file:///project/b.rpc", sectionsOf(1))
    expect(session.current(uri)).toBeUndefined()
    expect(session.current("file:///project/b.rpc")).toBeUndefined()
    const order: Array<string> = []
    await Promise.all(
      ["file:///project/b.rpc", uri].map((file) => session.loaded(file).then(() => order.push(file.slice(16)))),
    )
    expect(order).toEqual(["a.rpc", "b.rpc"])
  })

  it("reports what it throws to all waiting callers, and the next text is analysed as ever", async () => {
    const failing = () => {
      throw new Error("no further")
    }
    const functions = [{ name: "fail", signature: "fail(value)", docs: "Fails.", call: failing }]
    const project = makeProject({
      plugins: { plugins: [{ ...Evm.plugin, functions }], problems: [] },
      env: () => undefined,
      secret: () => undefined,
      now: 0,
    })
    const { session } = start({}, project)
    session.change(uri, '### A\neth_getLogs [{ "address": {{fail(1)}} }]\n')
    const waiting = [session.loaded(uri), session.loaded(uri)]
    for (const one of waiting) await expect(one).rejects.toThrow("no further")
    session.change(uri, sectionsOf(1))
    expect((await session.loaded(uri))?.analysis.requests).toHaveLength(1)
  })

  it("is of the text that a notebook would be saved as, apart from the same file open as text", async () => {
    const { session } = start()
    const cells = [{ uri: "cell:1", isCode: true, start: 0, end: 3 }]
    session.changeNotebook(uri, sectionsOf(2), cells)
    session.change(uri, sectionsOf(1))
    expect((await session.loaded(uri, "notebook"))?.analysis.requests).toHaveLength(2)
    expect((await session.loaded(uri))?.analysis.requests).toHaveLength(1)
    expect(session.textOf(uri)?.lines.text).toBe(sectionsOf(1))
    session.close(uri)
    expect(session.textOf(uri)?.lines.text).toBe(sectionsOf(2))
    expect(session.open()).toMatchObject([{ uri, view: "notebook", cells }])
  })

  it("is not of a notebook of more cells than are read, until some are gone", async () => {
    const { session } = start()
    const cells = Array.from({ length: 10_001 }, (_, index) => ({
      uri: `cell:${index}`,
      isCode: true,
      start: 0,
      end: 0,
    }))
    const text = session.changeNotebook(uri, sectionsOf(1), cells)
    expect(text.refused).toContain("10,000 cells")
    expect(session.changeNotebook(uri, sectionsOf(2), cells)).toBe(text)
    expect(await session.loaded(uri, "notebook")).toBeUndefined()
    session.changeNotebook(uri, sectionsOf(2), cells.slice(1))
    expect((await session.loaded(uri, "notebook"))?.analysis.requests).toHaveLength(2)
  })
})

describe("what a session does not do", () => {
  it("is finish an analysis of a text that a key has made stale", async () => {
    const { session } = start()
    session.change(uri, sectionsOf(3_000))
    const first = session.loaded(uri)
    session.change(uri, sectionsOf(1))
    expect((await first)?.text.lines.text).toBe(sectionsOf(1))
  })

  it("is answer about what is not open, or is refused", async () => {
    const { session } = start()
    expect(await session.loaded(uri)).toBeUndefined()
    expect(session.current(uri)).toBeUndefined()
    session.change(uri, " ".repeat(500_001))
    expect(session.textAt(uri)?.refused).toContain("500,000")
    expect(await session.loaded(uri)).toBeUndefined()
    expect(session.current(uri)).toBeUndefined()
    session.close(uri)
    expect(session.open()).toEqual([])
  })

  it("ends for two callers with different projects, which do not cancel each other", async () => {
    const { session } = start()
    session.change(uri, sectionsOf(2_000))
    const [one, other] = [emptyProject(), emptyProject()]
    const found = await Promise.all([one, other, one, other].map((project) => session.analysisOf(uri, project)))
    expect(found.map((analysis) => analysis?.requests.length)).toEqual([2_000, 2_000, 2_000, 2_000])
  })
})

describe("files that documents lead to", () => {
  /** Opens documents one after the other that lead to a file each, while one stays open. How often each file is read. */
  const readsOf = async (documents: number, link: (index: number) => string) => {
    const reads = new Map<string, number>()
    const project = emptyProject()
    const session = makeSession(
      { loaded: async () => project, current: () => project },
      {
        readFile: async (file) => {
          reads.set(file, (reads.get(file) ?? 0) + 1)
          return file.endsWith(".json") ? "[]" : sectionsOf(1)
        },
      },
    )
    const open = async (name: string, index: number) => {
      const document = `file:///project/${name}.rpc`
      session.change(document, `${link(index)}\n${sectionsOf(1)}`)
      await session.loaded(document)
      return document
    }
    const kept = await open("kept", 0)
    for (let index = 1; index <= documents; index++) session.close(await open("other", index))
    // Both lead to the first ones once more.
    await open("another", 0)
    await open("other", 1)
    session.change(kept, `${link(0)}\n${sectionsOf(2)}`)
    await session.loaded(kept)
    return [0, 1, documents].map((index) => [...reads.values()][index])
  }
  const check = (what: string, documents: number, link: (index: number) => string, expected: ReadonlyArray<number>) =>
    it(what, async () => expect(await readsOf(documents, link)).toEqual(expected))
  const imports = (index: number) => `# @import ./b${index}.rpc`
  const abis = (index: number) => `# @abi ./b${index}.json`
  check("are read once while they are few", 20, imports, [1, 1, 1])
  check("are forgotten once no document leads to them, and many others were read since", 300, imports, [1, 2, 1])
  check("are forgotten as well when they are ABIs", 300, abis, [1, 2, 1])
})

describe("a file that could not be read", () => {
  const imports = (name: string) => `# @import ./${name}.rpc\n${sectionsOf(1)}`
  const late = "file:///project/late.rpc"

  it.each<FileText>([undefined, { problem: "cannot be read" }])(
    "is read again with the next edit, however it failed: %j",
    async (failed) => {
      const { files, session } = start({ [late]: failed })
      session.change(uri, imports("late"))
      await session.loaded(uri)
      files[late] = sectionsOf(1)
      const { parsed } = session.change(uri, `${imports("late")}\n`)
      expect((await session.sources(uri, parsed)).files.size).toBe(1)
    },
  )

  it("is waited for, however many others were read since", async () => {
    const { files, session } = start()
    session.change(uri, imports("late"))
    await session.loaded(uri)
    for (let index = 0; index < 120; index++) {
      const other = `file:///project/other${index}.rpc`
      files[`file:///project/b${index}.rpc`] = sectionsOf(1)
      session.change(other, imports(`b${index}`))
      await session.loaded(other)
      session.close(other)
    }
    let told = 0
    session.onDidChange(() => told++)
    session.forget(late)
    expect(told).toBe(1)
  })
})

describe("of files that are not open", () => {
  const names = Array.from({ length: 12 }, (_, index) => `file:///project/f${index}.rpc`)
  const large = `###\neth_getLogs [{}]\n# ${"x".repeat(490_000)}\n`
  const startAnalysed = async () => {
    const started = start(Object.fromEntries(names.map((name) => [name, large])))
    const ask = (name: string) => started.session.analysisOf(name, started.projects.current)
    const costOf = (name: string | undefined) => cost(started, () => ask(name ?? ""))
    for (const name of names) await ask(name)
    return { ...started, costOf }
  }

  it("the last ones stay analysed, and no more than have 4,000,000 characters", async () => {
    const { costOf } = await startAnalysed()
    expect((await costOf(names.at(-1))).analyses).toBe(0)
    expect((await costOf(names.at(-8))).analyses).toBe(0)
    expect((await costOf(names.at(-9))).analyses).toBe(1)
  })
  it("one that was changed is analysed again", async () => {
    const { costOf, session } = await startAnalysed()
    session.forget(names.at(-1))
    expect((await costOf(names.at(-1))).analyses).toBe(1)
    expect((await costOf(names.at(-2))).analyses).toBe(0)
  })
})
