/** Runs inside the extension host, and measures how long the host works between two turns. */
import { runBombs, type Watch } from "../../inHost/askBombs.ts"

/**
 * Milliseconds of work between two turns: beyond a few seconds an extension host seems dead to a person. How long an analysis
 * alone may block is tested with the language service, and far stricter.
 */
const longestBlock = 3_000

const work = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}

const watch: Watch = async (action) => {
  let longest = 0
  let last = work()
  const look = () => {
    const now = work()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 20)
  await action()
  look()
  clearInterval(timer)
  return longest > longestBlock ? [`it blocks for ${Math.round(longest)} ms`] : []
}

export const run = (): Promise<void> => runBombs(watch)
