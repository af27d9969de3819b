/**
 * Who is next, as a value. Entries are in a tree of groups: at each level the groups take turns, whatever they hold,
 * and within the innermost group the first to come is the first to go.
 */
import * as Ordered from "./ordered.ts"

/** In the order of their turns; entries without a group of their own are one member. */
export type Turns<A extends Entry> = Ordered.Ordered<unknown & {}, Member<A>>

/** Its id is its own, and higher than of those that came before. */
export interface Entry {
  readonly id: number
}

/** Entries of one group and one kind may all go or all not go, such as calls of one price. */
export type Kind = number

/** Leads to the group of an entry, outermost first. Groups are distinguished as keys of Effect's `HashMap` are. */
export type Path = ReadonlyArray<unknown & {}>

type Member<A extends Entry> =
  | { readonly _tag: "Group"; readonly turns: Turns<A> }
  | { readonly _tag: "Entries"; readonly entries: Entries<A>; readonly kinds: Ordered.Ordered<Kind, Entries<A>> }

type Entries<A extends Entry> = Ordered.Ordered<number, A>

const loose = Symbol("loose")

export const empty = <A extends Entry>(): Turns<A> => Ordered.empty()

export const isEmpty = <A extends Entry>(turns: Turns<A>): boolean => Ordered.isEmpty(turns)

export const has = <A extends Entry>(turns: Turns<A>, [key = loose, ...rest]: Path, entry: A): boolean => {
  const member = Ordered.get(turns, key)
  if (member === undefined) return false
  return member._tag === "Group" ? has(member.turns, rest, entry) : Ordered.get(member.entries, entry.id) !== undefined
}

export const add = <A extends Entry>(turns: Turns<A>, [key, ...rest]: Path, entry: A, kind: Kind = 0): Turns<A> => {
  const member = Ordered.get(turns, key ?? loose)
  if (key === undefined) {
    const { entries, kinds } = member?._tag === "Entries" ? member : { entries: none<A>(), kinds: noKinds<A>() }
    return Ordered.set(turns, loose, {
      _tag: "Entries",
      entries: Ordered.set(entries, entry.id, entry),
      kinds: Ordered.set(kinds, kind, Ordered.set(Ordered.get(kinds, kind) ?? none<A>(), entry.id, entry)),
    })
  }
  const group = member?._tag === "Group" ? member.turns : empty<A>()
  return Ordered.set(turns, key, { _tag: "Group", turns: add(group, rest, entry, kind) })
}

const none = <A extends Entry>(): Entries<A> => Ordered.empty()
const noKinds = <A extends Entry>(): Ordered.Ordered<Kind, Entries<A>> => Ordered.empty()

/** Leaves what does not have the entry as it is. */
export const remove = <A extends Entry>(
  turns: Turns<A>,
  [key = loose, ...rest]: Path,
  entry: A,
  kind: Kind = 0,
): Turns<A> => {
  const member = Ordered.get(turns, key)
  if (member === undefined) return turns
  if (member._tag === "Entries") {
    const entries = Ordered.remove(member.entries, entry.id)
    if (Ordered.isEmpty(entries)) return Ordered.remove(turns, key)
    const alike = Ordered.remove(Ordered.get(member.kinds, kind) ?? none<A>(), entry.id)
    const kinds = Ordered.isEmpty(alike) ? Ordered.remove(member.kinds, kind) : Ordered.set(member.kinds, kind, alike)
    return Ordered.set(turns, key, { _tag: "Entries", entries, kinds })
  }
  const group = remove(member.turns, rest, entry, kind)
  return isEmpty(group) ? Ordered.remove(turns, key) : Ordered.set(turns, key, { ...member, turns: group })
}

/** The groups on this path have had their turn. */
export const pass = <A extends Entry>(turns: Turns<A>, [key = loose, ...rest]: Path): Turns<A> => {
  const member = Ordered.get(turns, key)
  const passed =
    member?._tag === "Group" ? Ordered.set(turns, key, { ...member, turns: pass(member.turns, rest) }) : turns
  return Ordered.moveToEnd(passed, key)
}

/** All entries, the next one first. */
export function* inTurn<A extends Entry>(turns: Turns<A>): Generator<A, void> {
  for (const member of Ordered.values(turns))
    yield* member._tag === "Group" ? inTurn(member.turns) : Ordered.values(member.entries)
}

/** The first entry of each kind in each group, the next one first: where none of these may go, none of the others may. */
export function* firsts<A extends Entry>(turns: Turns<A>): Generator<A, void> {
  for (const member of Ordered.values(turns)) {
    if (member._tag === "Group") yield* firsts(member.turns)
    else {
      const ones = [...Ordered.values(member.kinds)].flatMap((alike) => Ordered.values(alike).next().value ?? [])
      yield* ones.toSorted((one, other) => one.id - other.id)
    }
  }
}
