/** Times functions in turns, so that all of them meet the same load of the machine. */

/** Milliseconds of every round, in order of time. */
export type Times = ReadonlyArray<number>

/** Calls all functions once per round and tells how long each took, without the first rounds, in which they are compiled. */
export function timeInTurns<Name extends string>(
  functions: Readonly<Record<Name, () => unknown>>,
  rounds: number,
): Readonly<Record<Name, Times>> {
  const names = Object.keys(functions) as Array<Name>
  const times = Object.fromEntries(names.map((name) => [name, new Array<number>()])) as Record<Name, Array<number>>
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      const start = performance.now()
      functions[name]()
      const time = performance.now() - start
      if (round >= 0) times[name].push(time)
    }
  }
  return times
}

/** The value below which a share of all values lies. */
export function quantile(values: ReadonlyArray<number>, share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** How many times faster one is than the other: the median of the ratios of all rounds. */
export function timesFaster(fast: Times, slow: Times): number {
  const ratios = slow.map((time, round) => time / (fast[round] ?? Number.NaN))
  return quantile(ratios, 0.5)
}

const warmUp = 5
