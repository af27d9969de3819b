/** Days of the daily balance: they begin at 00:00 UTC. */

const dayMillis = 86_400_000

export { dayOf } from "@dotrpc/spec"

export const dayStart = (day: number): Date => new Date(day * dayMillis)
