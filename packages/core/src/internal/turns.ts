/**
 * Who is next. Entries lie in a tree of groups: at each level the groups take turns, whatever they hold, and within the
 * innermost group the first to come is the first to go.
 */

export interface Turns<A> {
  readonly isEmpty: () => boolean
  /** `path` leads to the entry's group, outermost first. */
  readonly add: (path: ReadonlyArray<unknown>, entry: A) => void
  /** Does nothing when the entry is not there. */
  readonly remove: (path: ReadonlyArray<unknown>, entry: A) => void
  /** The next entry that is eligible. */
  readonly find: (isEligible: (entry: A) => boolean) => A | undefined
  readonly forEach: (use: (entry: A) => void) => void
  /** The groups on this path have had their turn. */
  readonly pass: (path: ReadonlyArray<unknown>) => void
}

export const makeTurns = <A>(): Turns<A> => {
  /** In the order of their turns; those without a group of their own are one member. */
  const members = new Map<unknown, Turns<A> | Set<A>>()
  const loose = Symbol("loose")

  const groupOf = (key: unknown): Turns<A> => {
    const group = members.get(key)
    if (group !== undefined && !(group instanceof Set)) return group
    const made = makeTurns<A>()
    members.set(key, made)
    return made
  }

  return {
    isEmpty: () => members.size === 0,
    add: ([key, ...rest], entry) => {
      if (key !== undefined) return groupOf(key).add(rest, entry)
      const entries = members.get(loose)
      if (entries instanceof Set) entries.add(entry)
      else members.set(loose, new Set([entry]))
    },
    remove: ([key = loose, ...rest], entry) => {
      const member = members.get(key)
      if (member === undefined) return
      if (member instanceof Set) member.delete(entry)
      else member.remove(rest, entry)
      if (member instanceof Set ? member.size === 0 : member.isEmpty()) members.delete(key)
    },
    find: (isEligible) => {
      for (const member of members.values()) {
        const found = member instanceof Set ? firstOf(member, isEligible) : member.find(isEligible)
        if (found !== undefined) return found
      }
      return undefined
    },
    forEach: (use) => {
      for (const member of members.values()) member.forEach((entry: A) => use(entry))
    },
    pass: ([key = loose, ...rest]) => {
      const member = members.get(key)
      if (member === undefined) return
      if (!(member instanceof Set)) member.pass(rest)
      members.delete(key)
      members.set(key, member)
    },
  }
}

const firstOf = <A>(entries: ReadonlySet<A>, isEligible: (entry: A) => boolean): A | undefined => {
  for (const entry of entries) if (isEligible(entry)) return entry
  return undefined
}
