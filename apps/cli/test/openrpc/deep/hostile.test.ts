/** Documents and patterns that are made to take long are read soon: measured. */
import { expect, it } from "vitest"
import { linearPattern } from "../../../src/openrpc/linearPattern.ts"
import { hostileDocuments, hostilePatterns, saidOf } from "../hostileDocuments.ts"

/** The work of a processor, in seconds, where a bomb takes minutes: what else the machine does is left out. */
const mostSeconds = 10

/** Of this thread, in seconds. */
const secondsOf = (act: () => unknown): number => {
  const before = process.threadCpuUsage().user
  act()
  return (process.threadCpuUsage().user - before) / 1e6
}

it.each(hostileDocuments)("a document that $what is read soon", ({ text }) =>
  expect(secondsOf(() => saidOf(text()))).toBeLessThan(mostSeconds),
)

it.each(Object.entries(hostilePatterns))("a pattern of %s is refused soon", (_, source) =>
  expect(secondsOf(() => linearPattern(source))).toBeLessThan(1),
)
