/** Finds tests that measure time. Pure: files in, violations out. */
import type { SourceFile, Violation } from "./check.ts"

/** What is measured on a machine that does other work says nothing, so only what `bench` or `deep` is in the path of may do it. */
export const findClocks = (files: ReadonlyArray<SourceFile>): ReadonlyArray<Violation> =>
  files.flatMap(({ path, text }) => {
    if (!/\/test\/|\.(?:test|flow)\.ts$/.test(path) || /bench|deep/.test(path)) return []
    return text.split("\n").flatMap((line, index) => {
      const clock = clocks.find((name) => line.includes(name))
      const message = `may not use "${clock}": count work (steps, turns, calls), or measure in a folder "deep"`
      return clock === undefined ? [] : [{ path, line: index + 1, message }]
    })
  })

const clocks: ReadonlyArray<string> = ["performance.now", "cpuUsage", "CpuUsage", "hrtime"]
