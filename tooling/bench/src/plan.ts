/** Whether a scan takes what is planned for it, on made-up chains of seeds that no number was chosen by. */
import { RangeScan } from "@dotrpc/core"
import { contracts, type Planned, plannedAgain, plannedByEnds, type World, worlds } from "@dotrpc/scan-worlds"

const seeds = [301, 302, 303, 304, 305, 306, 307]

const known: Readonly<Record<string, (world: World) => Planned>> = {
  "the ends, a thousandth each": (world) => plannedByEnds(RangeScan, world),
  "all but the last hundredth, from a scan before": (world) => plannedAgain(RangeScan, world, 0.99),
  "all but the last tenth": (world) => plannedAgain(RangeScan, world, 0.9),
  "all of it, from a scan before": (world) => plannedAgain(RangeScan, world),
}

/** A row for each amount of knowledge. */
export const rows = (): ReadonlyArray<ReadonlyArray<string>> => {
  const makers = [...Object.values(worlds), ...Object.values(contracts).map(({ make }) => make)]
  return Object.entries(known).map(([name, planned]) => {
    const scans = makers.flatMap((make) => seeds.map((seed) => planned(make(seed))))
    const ratios = scans.map(({ calls, likely }) => calls / likely).toSorted((left, right) => left - right)
    const below = scans.filter(({ calls, low }) => calls < low).length
    const above = scans.filter(({ calls, high }) => calls > high).length
    const share = (count: number) => `${((100 * count) / scans.length).toFixed(0)} %`
    return [
      name,
      String(scans.length),
      share(below),
      share(scans.length - below - above),
      share(above),
      (ratios[Math.floor(ratios.length / 2)] ?? Number.NaN).toFixed(2),
      Math.max(...scans.map(({ ratio }) => ratio)).toFixed(2),
    ]
  })
}

export const columns = [
  "what is known",
  "scans",
  "below P10",
  "between",
  "above P90",
  "calls over likely, median",
  "calls over the fewest, most",
]
