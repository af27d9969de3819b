/**
 * A map as a value that keeps its members in order: what is added or moved comes last. No operation takes longer the more
 * members there are, except walking through them.
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"

export interface Ordered<K extends {}, V> {
  readonly links: HashMap.HashMap<K, Link<K, V>>
  readonly first: K | undefined
  readonly last: K | undefined
}

interface Link<K, V> {
  readonly value: V
  readonly before: K | undefined
  readonly after: K | undefined
}

export const empty = <K extends {}, V>(): Ordered<K, V> => ({
  links: HashMap.empty(),
  first: undefined,
  last: undefined,
})

export const isEmpty = <K extends {}, V>({ first }: Ordered<K, V>): boolean => first === undefined

export const get = <K extends {}, V>(map: Ordered<K, V>, key: K): V | undefined => linkOf(map, key)?.value

/** A member that is there keeps its place. */
export const set = <K extends {}, V>(map: Ordered<K, V>, key: K, value: V): Ordered<K, V> => {
  const { first = key, last, links } = map
  const link = linkOf(map, key)
  if (link !== undefined) return { ...map, links: HashMap.set(links, key, { ...link, value }) }
  const joined = HashMap.set(links, key, { value, before: last, after: undefined })
  return { first, last: key, links: linked(joined, last, { after: key }) }
}

export const remove = <K extends {}, V>(map: Ordered<K, V>, key: K): Ordered<K, V> => {
  const link = linkOf(map, key)
  if (link === undefined) return map
  const { after, before } = link
  return {
    first: before === undefined ? after : map.first,
    last: after === undefined ? before : map.last,
    links: linked(linked(HashMap.remove(map.links, key), before, { after }), after, { before }),
  }
}

export const moveToEnd = <K extends {}, V>(map: Ordered<K, V>, key: K): Ordered<K, V> => {
  const link = linkOf(map, key)
  return link === undefined ? map : set(remove(map, key), key, link.value)
}

/** In their order. */
export function* values<K extends {}, V>(map: Ordered<K, V>): Generator<V, void> {
  for (let link = linkOf(map, map.first); link !== undefined; link = linkOf(map, link.after)) yield link.value
}

const linkOf = <K extends {}, V>({ links }: Ordered<K, V>, key: K | undefined): Link<K, V> | undefined =>
  key === undefined ? undefined : Option.getOrUndefined(HashMap.get(links, key))

const linked = <K extends {}, V>(
  links: Ordered<K, V>["links"],
  key: K | undefined,
  change: Pick<Link<K, V>, "after"> | Pick<Link<K, V>, "before">,
): Ordered<K, V>["links"] =>
  key === undefined ? links : HashMap.modify(links, key, (link) => ({ ...link, ...change }))
