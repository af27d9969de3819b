/**
 * What a test entry uses inside the extension host: named flows, run one after the other and reported line by line.
 *
 * Needs neither Node nor a browser page, because one of the two extension hosts is a web worker.
 */

export { patience } from "./Patience.ts"

/** Flows by their sentence, run in the order they are written. */
export type Flows = Readonly<Record<string, () => Promise<void> | void>>

/**
 * Runs every flow, also after a failure, and throws at the end when any has failed.
 *
 * @example
 * export const run = () => runFlows({ "knows the language": async () => { … } })
 */
export async function runFlows(flows: Flows): Promise<void> {
  let failures = 0
  for (const [sentence, flow] of Object.entries(flows)) {
    try {
      await flow()
      print(`ok ${sentence}`)
    } catch (error) {
      failures += 1
      print(`not ok ${sentence}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
  }
  if (failures > 0) throw new Error(`${failures} of ${Object.keys(flows).length} flows failed`)
}

/** Throws unless both values have the same JSON. */
export function sameJson(actual: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (left !== right) throw new Error(`expected ${right}, got ${left}`)
}

function print(line: string): void {
  // oxlint-disable-next-line no-console -- The console is the only way out of the extension host.
  console.log(line)
}
