/** Which logs a node may answer a filter with. */
import type { Filter } from "../schemas/Filter.ts"
import { readAddress } from "../schemas/forms.ts"
import type { Log } from "../schemas/Log.ts"

/**
 * A test for one filter, whatever its blocks. `null`, `[]` and a list that holds `null` accept anything, and the case of
 * digits does not matter. Nodes differ on whether a topic that may be anything has to exist: here it need not.
 */
export const matchingLogs = ({ address, topics }: Pick<Filter, "address" | "topics">) => {
  const accepts = acceptedBy(address)
  const positions = (topics ?? []).map(acceptedBy)
  return (log: Pick<Log, "address" | "topics">): boolean =>
    accepts(readAddress(log.address)) && positions.every((acceptsTopic, position) => acceptsTopic(log.topics[position]))
}

type Wanted = string | null | undefined | ReadonlyArray<string | null>

const acceptedBy = (wanted: Wanted): ((value: string | undefined) => boolean) => {
  const values = typeof wanted === "string" ? [wanted] : (wanted ?? [])
  if (values.length === 0 || values.includes(null)) return () => true
  const accepted = new Set(values.map((value) => value?.toLowerCase()))
  return (value) => value !== undefined && accepted.has(value.toLowerCase())
}
