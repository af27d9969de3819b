/** What a plan has learned, to JSON and back. What cannot be read is left out: it costs a scan calls, never items. */
import { Json } from "@dotrpc/spec"
import { type Endpoint, unknownEndpoint } from "./Endpoint.ts"
import { factsOf, type Learned, type Refused } from "./Learned.ts"
import type { Profile } from "./profile.ts"
import { encodeProfile, encodeQuery, type Head, type Remembered, type SeenQuery } from "./Remembered.ts"

/** Rows of numbers instead of objects, because there are many. */
export const encodeLearned = ({ endpoint, refused, seen, ...rest }: Learned): Json.Json => ({
  ...rest,
  endpoint: { ...endpoint },
  seen: encodeProfile(seen),
  refused: refused.map(({ from, ...facts }) => {
    const { heavy, ...numbers } = factsOf(facts)
    return { from, ...numbers, ...(heavy === undefined ? {} : { heavy: { ...heavy } }) }
  }),
})

export const decodeLearned = (value: Json.JsonObject): Learned => {
  const { streak, endpoint, from, fullest, limit, refused, seen } = value
  return {
    from: isCount(from) ? from : 0,
    endpoint: Json.isObject(endpoint) ? endpointOf(endpoint) : unknownEndpoint,
    ...(isCount(limit) && limit > 0 ? { limit } : {}),
    fullest: isCount(fullest) ? fullest : 0,
    streak: isCount(streak) ? streak : 0,
    seen: profileOf(Json.isArray(seen) ? seen : []),
    refused: Json.isArray(refused) ? refused.flatMap(refusedOf) : [],
  }
}

/** What was learned about an endpoint, from JSON; members that are no such numbers are left out. */
export const endpointOf = (value: Json.JsonObject): Endpoint => {
  const count = (name: "limit" | "quick" | "refused" | "slow" | "span") => {
    const member = value[name]
    return isCount(member) && member > 0 ? { [name]: member } : {}
  }
  return {
    hints: value.hints === true,
    misled: isCount(value.misled) ? value.misled : 0,
    ...(value.doubted === true ? { doubted: true } : {}),
    ...count("limit"),
    ...count("quick"),
    ...count("refused"),
    ...count("slow"),
    ...count("span"),
  }
}

/** What is kept about an endpoint, as JSON. */
export const encodeRemembered = ({ heads, queries, words, ...endpoint }: Remembered): Json.JsonObject => ({
  ...endpoint,
  ...(heads === undefined ? {} : { heads: Object.fromEntries(Object.entries(heads).map(encodeHead)) }),
  ...(queries === undefined ? {} : { queries: queries.map(encodeQuery) }),
  ...(words === undefined ? {} : { words }),
})

const encodeHead = ([tag, { at, number, perSecond }]: readonly [string, Head]) =>
  [tag, { number, at, ...(perSecond === undefined ? {} : { perSecond }) }] as const

/** What was kept about an endpoint, from JSON; what is not of its shape is left out. */
export const rememberedOf = (value: Json.JsonObject): Remembered => {
  const heads = Json.isObject(value.heads) ? Object.entries(value.heads) : []
  const queries = Json.isArray(value.queries) ? value.queries.flatMap(seenQueryOf) : []
  const words = Json.isArray(value.words) ? value.words.filter((member) => typeof member === "string") : []
  return {
    ...endpointOf(value),
    ...(heads.length === 0 ? {} : { heads: Object.fromEntries(heads.flatMap(headOf)) }),
    ...(queries.length === 0 ? {} : { queries }),
    ...(words.length === 0 ? {} : { words }),
  }
}

const headOf = ([tag, value]: readonly [string, Json.Json]): ReadonlyArray<readonly [string, Head]> => {
  if (!Json.isObject(value) || !isCount(value.number) || !isCount(value.at)) return []
  const { at, number, perSecond } = value
  const isRate = typeof perSecond === "number" && perSecond >= 0 && Number.isFinite(perSecond)
  return [[tag, { number, at, ...(isRate ? { perSecond } : {}) }]]
}

const seenQueryOf = (value: Json.Json): ReadonlyArray<SeenQuery> => {
  if (!Json.isObject(value) || typeof value.query !== "string" || !Json.isArray(value.profile)) return []
  const { pages, profile, query } = value
  const { limit, quick, slow } = endpointOf(value)
  return [
    {
      query,
      ...(limit === undefined ? {} : { limit }),
      ...(quick === undefined ? {} : { quick }),
      ...(slow === undefined ? {} : { slow }),
      profile: profileOf(profile),
      ...(isCount(pages) ? { pages } : {}),
    },
  ]
}

/** A whole number, zero or more: of a block, or of items. */
export const isCount = (value: Json.Json | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

const profileOf = (rows: ReadonlyArray<Json.Json>): Profile => {
  let next = 0
  return rows.flatMap((row) => {
    const [from, to, items] = Json.isArray(row) ? row : []
    if (!isCount(from) || !isCount(to) || !isCount(items) || from < next || from > to) return []
    next = to + 1
    return [{ from, to, items }]
  })
}

const refusedOf = (value: Json.Json): ReadonlyArray<Refused> => {
  if (!Json.isObject(value) || !isCount(value.from)) return []
  const { failed, from, heavy, offer } = value
  const { limit, moreThan, to } = Json.isObject(heavy) ? heavy : {}
  return [
    {
      from,
      ...(isCount(failed) && failed > 0 ? { failed } : {}),
      ...(isCount(offer) && offer >= from ? { offer } : {}),
      ...(isCount(to) && isCount(moreThan) && isCount(limit) ? { heavy: { to, moreThan, limit } } : {}),
    },
  ]
}
