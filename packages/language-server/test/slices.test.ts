/**
 * An editor is never kept waiting: a text is analysed in steps, one section at a time at most, or is refused. `deep/watchdog`
 * measures what a step takes.
 */
import { analyzing, makeWorkspace, type Steps } from "@dotrpc/analysis"
import { oneOfEachKind } from "@dotrpc/bombs"
import { Evm } from "@dotrpc/plugin-evm"
import { editorText, parsingSections } from "@dotrpc/session"
import { afterEach, describe, expect, it, vi } from "vitest"
import { DocumentDiagnosticRequest } from "vscode-languageserver/node"
import { connect, file } from "./client.ts"

const { workspace } = makeWorkspace({
  plugins: [Evm.plugin],
  config: { networks: { evm: { plugin: "evm", url: "https://node.example" } } },
  now: 0,
})
const sources = { uri: "file:///p/main.rpc", files: new Map(), texts: new Map() }

const honest = (sections: number): string =>
  Array.from(
    { length: sections },
    (_, index) =>
      `### Section ${index}\n# @name s${index}\n@a = 0x${index.toString(16)}\neth_getLogs [{"fromBlock": {{a}}, "toBlock": "latest"}]\n?? result.length > ${index}\n\n`,
  ).join("")

const count = (steps: Steps<unknown>): number => {
  let taken = 0
  while (steps.next().done !== true) taken++
  return taken
}

/** Steps of an analysis, and how many sections there are; `undefined` of a text that is refused. */
const analysed = (text: string) => {
  const { parsed, refused } = editorText(text)
  if (refused !== undefined) return undefined
  const sections = parsed.tree.sections.length
  return { sections, steps: count(parsingSections(parsed)) + count(analyzing(parsed, workspace, { sources })) }
}

describe("an analysis", () => {
  it("takes a step for each section at least, and twice as many for twice the text", () => {
    const [once, twice] = [analysed(honest(200)), analysed(honest(400))]
    expect(once?.sections).toBe(200)
    expect(once?.steps).toBeGreaterThanOrEqual(200)
    expect((twice?.steps ?? 0) / (once?.steps ?? 0)).toBeCloseTo(2, 1)
  })
  it.each(oneOfEachKind)("of the bomb $name takes a step for each section, or the text is refused", ({ text }) => {
    const { sections, steps } = analysed(text()) ?? { sections: 0, steps: 0 }
    expect(steps).toBeGreaterThanOrEqual(sections)
  })
})

describe("the server", () => {
  afterEach(() => void vi.restoreAllMocks())

  it("lets everything else have its turn every few steps", async () => {
    const client = await connect()
    let [turns, isOver, time] = [0, false, 0]
    // Each look at the clock takes a millisecond, so that time is counted in steps.
    vi.spyOn(performance, "now").mockImplementation(() => time++)
    const turn = () => {
      if (isOver) return
      turns++
      setImmediate(turn)
    }
    setImmediate(turn)
    await client.open(honest(200))
    await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri: file } })
    isOver = true
    await client.close()
    const { steps } = analysed(honest(200)) ?? { steps: 0 }
    expect(turns).toBeGreaterThanOrEqual(Math.floor(steps / 10))
  })
})
