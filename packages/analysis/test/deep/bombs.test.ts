/** Texts that are made to hang or overflow the analysis: every one is analysed, soon: measured. */
import { textBombs } from "@dotrpc/bombs"
import { parse } from "@dotrpc/lang"
import { expect, it } from "vitest"
import { analyze } from "../../src/index.ts"
import { workspace } from "../workspace.ts"

const sources = { uri: "file:///p/main.rpc", files: new Map(), texts: new Map() }

/** Of the processor; a bomb takes minutes. */
const mostSeconds = 30

it.each(textBombs)("a bomb of $name is analysed", ({ text }) => {
  const bomb = text()
  const before = process.threadCpuUsage().user
  const { diagnostics } = analyze(parse(bomb), workspace(), { sources })
  expect((process.threadCpuUsage().user - before) / 1e6).toBeLessThan(mostSeconds)
  expect(diagnostics.filter(({ start, end }) => !(start <= end && end <= bomb.length))).toEqual([])
})
