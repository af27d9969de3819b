/** The columns of the arguments of some events, the same in tables and in files. */
import type { ColumnType, TypedColumn } from "@dotrpc/spec"
import { type DecodedArgument, type DecodedEvent, isHashed } from "../abi/decodeEvent.ts"
import type { EventDeclaration, EventInput } from "../abi/EventDeclaration.ts"
import { columnType } from "./columnValue.ts"

export interface ArgumentColumns {
  readonly columns: ReadonlyArray<TypedColumn>
  /** The arguments of a log by their columns; one of another event has nothing there. */
  readonly placed: (decoded: DecodedEvent | undefined) => ReadonlyArray<DecodedArgument | undefined>
}

/**
 * Arguments with one name and one type share a column, whichever event they are of; another type gets the name of its event.
 *
 * @param others columns that stand beside these
 */
export const argumentColumns = (
  events: ReadonlyArray<EventDeclaration>,
  others: Iterable<Pick<TypedColumn, "name">>,
): ArgumentColumns => {
  const taken = new Set([...others].map(({ name }) => name))
  const columns: Array<TypedColumn> = []
  const byName = new Map<string, number>()
  const places = new Map<EventInput, number>()
  for (const { inputs, name: event } of events)
    for (const input of inputs) {
      const type = typeOf(input)
      const key = `${input.name} ${type}`
      const known = byName.get(key)
      if (known !== undefined && !inputs.some((other) => other !== input && places.get(other) === known)) {
        places.set(input, known)
        continue
      }
      const name = freeName(taken, [input.name, `${input.name}_argument`, `${event}_${input.name}`])
      const place = columns.push({ name, type }) - 1
      byName.set(key, place)
      places.set(input, place)
    }
  return {
    columns,
    placed: (decoded) => {
      const args = Array<DecodedArgument | undefined>(columns.length).fill(undefined)
      decoded?.event.inputs.forEach((input, index) => {
        const place = places.get(input)
        if (place !== undefined) args[place] = decoded.args[index]
      })
      return args
    },
  }
}

/** Of what is indexed and does not fit a topic, a log has the hash alone. */
const typeOf = (input: EventInput): ColumnType => (input.indexed && isHashed(input.type) ? "text" : columnType(input))

/** Readers of columns do not distinguish names by their case. */
const freeName = (taken: Set<string>, names: readonly [string, ...ReadonlyArray<string>]): string => {
  const isFree = (name: string) => !taken.has(name.toLowerCase())
  let name = names.find(isFree)
  for (let count = 2; name === undefined; count++) {
    const numbered = `${names[0]}_${count}`
    if (isFree(numbered)) name = numbered
  }
  taken.add(name.toLowerCase())
  return name
}
