/** What other processes of this machine take. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

/** The number of the process that listens on a port. */
export const processOf = (port: number): number =>
  Number(/,pid=(\d+),/.exec(execFileSync("ss", ["-Hltnp", `sport = :${port}`], { encoding: "utf8" }))?.[1])

/** Milliseconds of CPU of a process and of those that it started. */
export const cpuOf = (main: number): number => {
  let ticks = 0
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(name)
    if (fields === undefined || (Number(name) !== main && Number(fields[1]) !== main)) continue
    for (const at of Number(name) === main ? [11, 12, 13, 14] : [11, 12]) ticks += Number(fields[at])
  }
  return ticks * 10
}

/** What processes take while they are watched. */
export interface Watched {
  /** Milliseconds of CPU, by the number of each process that was there. */
  readonly cpu: ReadonlyMap<number, number>
  /** The most megabytes that they had in memory at once. */
  readonly peak: () => number
  readonly stop: () => void
}

/**
 * Watches a process and all that come of it, once a second. `Rss` is the memory that each of them sees, `Pss` divides what several share. Nothing is
 * seen where there is no `/proc`.
 */
export const watch = (main: number, memory: "Rss" | "Pss"): Watched => {
  const cpu = new Map<number, number>()
  let peak = 0
  const look = () => {
    let now = 0
    for (const [pid, fields] of treeOf(main)) {
      cpu.set(pid, (Number(fields[11]) + Number(fields[12])) * 10)
      now += memoryOf(pid, memory)
    }
    peak = Math.max(peak, now)
  }
  look()
  const timer = setInterval(look, 1_000)
  return { cpu, peak: () => peak, stop: () => clearInterval(timer) }
}

/** A process and all that come of it, with what `statOf` tells. */
const treeOf = (main: number): ReadonlyMap<number, ReadonlyArray<string>> => {
  const found = new Map<number, ReadonlyArray<string>>()
  const add = (pid: number) => {
    const fields = statOf(`${pid}`)
    if (fields === undefined) return
    found.set(pid, fields)
    for (const child of childrenOf(pid)) add(child)
  }
  add(main)
  return found
}

/** Those that a process started, each of them by one of its threads. */
const childrenOf = (pid: number): ReadonlyArray<number> => {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

const memoryOf = (pid: number, memory: "Rss" | "Pss"): number => {
  const [file, name] = memory === "Rss" ? ["status", "VmRSS"] : ["smaps_rollup", "Pss"]
  try {
    const [, kilobytes = 0] =
      new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/${file}`, "utf8")) ?? []
    return (Number(kilobytes) * 1_024) / 1e6
  } catch {
    return 0
  }
}

/** What follows the name of a process; `undefined` where it has ended. */
const statOf = (pid: string): ReadonlyArray<string> | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}
