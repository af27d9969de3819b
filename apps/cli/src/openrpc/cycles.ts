/** Named shapes that refer to themselves. */
import { anything, type Shape } from "./Shape.ts"

/** The named shapes that a shape refers to directly. */
export const referencesOf = (shape: Shape): ReadonlyArray<string> => {
  switch (shape.kind) {
    case "list":
      return referencesOf(shape.item)
    case "tuple":
      return [...shape.items, ...(shape.rest === undefined ? [] : [shape.rest])].flatMap(referencesOf)
    case "record":
      return [
        ...shape.members.map((member) => member.shape),
        ...(shape.values === undefined ? [] : [shape.values]),
      ].flatMap(referencesOf)
    case "union":
      return shape.members.flatMap(referencesOf)
    case "ref":
      return [shape.name]
    default:
      return []
  }
}

/** The named shapes of which one, or all, are the shape itself: a value of it is compared with them as it is. */
const choicesOf = (shape: Shape): ReadonlyArray<string> => {
  switch (shape.kind) {
    case "ref":
      return [shape.name]
    case "union":
      return shape.members.flatMap(choicesOf)
    default:
      return []
  }
}

/**
 * Breaks cycles of choices alone, as in `A: anyOf [A, …]`, where comparing a value would never come to a part of it: the shape
 * at which one closes is left open, and its name is in `left`.
 */
export const withoutEndlessChoices = (
  components: ReadonlyMap<string, Shape>,
): { readonly components: ReadonlyMap<string, Shape>; readonly left: ReadonlyArray<string> } => {
  const left = closingNames([...components.keys()], (name) => choicesOf(components.get(name) ?? anything))
  const open = new Map([...components].map(([name, shape]) => [name, left.has(name) ? anything : shape]))
  return { components: open, left: [...left] }
}

/** The names at which a walk along the references comes back to where it is: without them there is no cycle. */
const closingNames = (names: ReadonlyArray<string>, next: References): ReadonlySet<string> => {
  const closed = new Set<string>()
  walk(names, next, { closes: (name) => closed.add(name) })
  return closed
}

/** The names, each after those that it refers to, as far as cycles allow. */
export const inOrder = (components: ReadonlyMap<string, Shape>): ReadonlyArray<string> => {
  const ordered: Array<string> = []
  walk([...components.keys()], (name) => referencesOf(components.get(name) ?? anything), {
    leaves: (name) => ordered.push(name),
  })
  return ordered.filter((name) => components.has(name))
}

/** The names from which references lead back to the same name. */
export const circularNames = (components: ReadonlyMap<string, Shape>): ReadonlySet<string> => {
  const circular = new Set<string>()
  const before = new Map<string, Array<string>>()
  for (const [name, shape] of components)
    for (const target of new Set(referencesOf(shape))) {
      if (target === name) circular.add(name)
      const sources = before.get(target) ?? []
      before.set(target, sources)
      sources.push(name)
    }
  // Walked against the references, from the last name of the order on, what is reached together lies on the same cycles.
  let together: Array<string> = []
  walk(inOrder(components).toReversed(), (name) => before.get(name) ?? [], {
    leaves: (name) => together.push(name),
    ends: () => {
      if (together.length > 1) for (const name of together) circular.add(name)
      together = []
    },
  })
  return circular
}

type References = (name: string) => ReadonlyArray<string>

interface Walk {
  /** A reference leads to a name that the walk is inside. */
  readonly closes?: ((name: string) => void) | undefined
  /** Everything that a name refers to is done. */
  readonly leaves?: ((name: string) => void) | undefined
  /** Everything that one of the first names leads to is done. */
  readonly ends?: (() => void) | undefined
}

/** Goes along all references, each name once. A document decides how far they lead, so this is not recursive. */
const walk = (names: ReadonlyArray<string>, next: References, { closes, ends, leaves }: Walk): void => {
  const seen = new Set<string>()
  const inside = new Set<string>()
  for (const first of names) {
    const stack: Array<{ readonly name: string; readonly targets: Iterator<string> }> = []
    const enter = (name: string) => {
      if (inside.has(name)) closes?.(name)
      if (seen.has(name)) return
      seen.add(name)
      inside.add(name)
      stack.push({ name, targets: next(name).values() })
    }
    enter(first)
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { done, value } = top.targets.next()
      if (done !== true) {
        enter(value)
        continue
      }
      stack.pop()
      inside.delete(top.name)
      leaves?.(top.name)
    }
    ends?.()
  }
}
