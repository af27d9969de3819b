/** Runs parts one after the other, also after one has failed, and fails when any has. */
export const inTurn = async (...parts: ReadonlyArray<() => Promise<void>>): Promise<void> => {
  const reasons = new Array<unknown>()
  for (const part of parts) await part().catch((reason: unknown) => reasons.push(reason))
  if (reasons.length > 0) throw new AggregateError(reasons, `${reasons.length} of ${parts.length} parts failed`)
}
