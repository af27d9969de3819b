/** How long `--minutes` plays: the only clock of the harness. A landing plays rounds instead. */

/** @returns whether there is time for another round, from now on */
export const forMinutes = (minutes: number): (() => boolean) => {
  const end = performance.now() + minutes * 60_000
  return () => performance.now() < end
}
