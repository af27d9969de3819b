/** Measuring in a process of its own: CPU time, which other work on the machine disturbs less than time on the clock. */
import { spawn } from "node:child_process"
import { join } from "node:path"

/** A contender of a suite, set up and ready: does `count` pieces of work. */
export type Work = (count: number) => Promise<void> | void

/** A suite runs one contender in a fresh process and tells the microseconds of CPU that a piece of its work takes. */
export interface Suite {
  readonly measure: (contender: string) => Promise<number>
}

/** Microseconds of CPU for each piece, of all threads of this process. */
export const cpuPerPiece = async (work: Work, options: { readonly warmUp: number; readonly count: number }) => {
  await work(options.warmUp)
  const before = process.cpuUsage()
  await work(options.count)
  const { system, user } = process.cpuUsage(before)
  return (user + system) / options.count
}

/** Measures one contender in a fresh process. */
export const measureApart = (suite: string, contender: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const worker = join(import.meta.dirname, "worker.ts")
    const child = spawn(process.execPath, ["--conditions=dotrpc-source", worker, suite, contender], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
    child.on("error", reject)
    child.on("close", (code) => {
      if (code === 0) resolve(Number(output))
      else reject(new Error(`${suite}: ${contender} ended with ${code}`))
    })
  })

/** Every contender once per round, in turn, so that what disturbs the machine for a while disturbs all of them. */
export const inRounds = async (
  rounds: number,
  contenders: ReadonlyArray<string>,
  measure: (contender: string) => Promise<number>,
): Promise<ReadonlyMap<string, ReadonlyArray<number>>> => {
  const figures = new Map(contenders.map((contender) => [contender, new Array<number>()]))
  for (let round = 0; round < rounds; round++)
    for (const [contender, values] of figures) values.push(await measure(contender))
  return figures
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  return (
    (sorted.length % 2 === 1 ? sorted[middle] : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2) ?? Number.NaN
  )
}
