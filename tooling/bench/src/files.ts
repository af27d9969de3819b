/** What files of many sections cost, and whether ten times the sections cost ten times as much. */
import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { format, parse } from "@dotrpc/lang"
import { lineIndex } from "@dotrpc/lang/locate"
import { rename } from "@dotrpc/lang-service"
import { Evm } from "@dotrpc/plugin-evm"
import { cpuPerPiece } from "./measure.ts"

/** Sections of the small file and of the large one. */
export const sizes = [1_000, 10_000] as const

const sections = (count: number, body: string): string =>
  Array.from({ length: count }, (_, index) => `### ${index}\n${body}\n`).join("")

const good = (count: number): string => `@from = "0x1"\n${sections(count, 'eth_getLogs [{"fromBlock": {{from}}}]')}`

const broken = (count: number): string => sections(count, `eth_getLogs [{fromBlock: 0x1, 'toBlock' "latest"}`)

const { workspace } = makeWorkspace({ plugins: [Evm.plugin], now: 0 })

const makers: Readonly<Record<string, (count: number) => () => unknown>> = {
  "check, every section right": (count) => {
    const text = good(count)
    return () => analyze(parse(text), workspace)
  },
  "check, every section broken": (count) => {
    const text = broken(count)
    return () => analyze(parse(text), workspace)
  },
  format: (count) => {
    const text = good(count)
    return () => format(text)
  },
  "rename, a use in every section": (count) => {
    const text = good(count)
    const document = { analysis: analyze(parse(text), workspace), lines: lineIndex(text) }
    return () => rename(document, { line: 0, character: 1 }, "first")
  },
}

export const features: ReadonlyArray<string> = Object.keys(makers)

export const contenders: ReadonlyArray<string> = features.flatMap((name) => sizes.map((size) => `${name}: ${size}`))

/** Microseconds of CPU for the whole file. */
export const measure = async (contender: string): Promise<number> => {
  const [name = "", size = ""] = contender.split(": ")
  const work = makers[name]?.(Number(size))
  if (work === undefined) throw new Error(`There is no contender "${contender}".`)
  return cpuPerPiece(
    (count) => {
      for (let done = 0; done < count; done++) work()
    },
    { warmUp: 1, count: 2 },
  )
}
