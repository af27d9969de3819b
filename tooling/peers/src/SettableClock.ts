/**
 * The clock of a machine for programs that are started: it runs as the real one does, and can be moved on while they run. They see
 * what they would see on a laptop that was asleep meanwhile: the wall clock and the time since the start of the machine are later.
 */
import { writeFileSync } from "node:fs"

export interface SettableClock {
  readonly now: () => number
  /** Moves it on to this time. */
  readonly moveTo: (millis: number) => void
  /** What Node reads from the environment. */
  readonly env: Readonly<Record<string, string>>
}

/** @param file says how far the clock is ahead */
export const startClock = (file: string, millis: number): SettableClock => {
  let ahead = 0
  const moveTo = (time: number) => {
    ahead = time - Date.now()
    writeFileSync(file, `${ahead}`)
  }
  moveTo(millis)
  return {
    now: () => Date.now() + ahead,
    moveTo,
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(scriptOf(file))}` },
  }
}

const scriptOf = (file: string): string => `
  import { readFileSync } from "node:fs"
  const os = process.getBuiltinModule("node:os")
  const Machine = Date
  const uptime = os.uptime
  let ahead = 0
  const look = () => { ahead = Number(readFileSync(${JSON.stringify(file)}, "utf8")) || ahead }
  look()
  setInterval(look, 20).unref()
  globalThis.Date = class Date extends Machine {
    constructor(...given) { given.length === 0 ? super(Machine.now() + ahead) : super(...given) }
    static now() { return Machine.now() + ahead }
  }
  os.uptime = () => uptime() + ahead / 1_000`
