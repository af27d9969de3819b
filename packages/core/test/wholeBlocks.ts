/** A method whose results are parts of blocks, the method for a whole block, and one that lists its items. */
import { Effect, Schema } from "effect"
import { type BlockItem, type BlockPart, Json, Price, RpcReason, type RpcRequest } from "@dotrpc/spec"
import { type Answer, fail, methodOf, request } from "./scripted.ts"

/** Items are named by their block and their place in it: `"7a"`. A block is `["whole", block, part…]`. */
const wordsOf = (value: Json.Json | undefined): ReadonlyArray<string> => (Json.isArray(value) ? value.map(String) : [])

export const whole = methodOf({
  name: "test_whole",
  params: Schema.Array(Schema.String),
  result: Schema.NullOr(Schema.Array(Schema.String)),
  price: Price.published(100),
  classify: ({ message, rpcCode }) =>
    rpcCode === undefined ? undefined : new RpcReason.Rejected({ said: message, httpStatus: 200, rpcCode }),
})

const blockPart: BlockPart = {
  whole,
  itemOf: (params) => wordsOf(params)[0],
  paramsOf: (block) => [block],
  partsOf: (result, block, items) => {
    const [first, of, ...parts] = wordsOf(result)
    return items.map((item) =>
      first === "whole" && of === block ? parts.find((part) => part === `value of ${item}`) : undefined,
    )
  },
}

function* itemsIn(result: Json.Json): Generator<BlockItem> {
  const [first, block, ...items] = wordsOf(result)
  if (first === "items" && block !== undefined) for (const item of items) yield { item, block }
}

/** Its results are texts: a longer one does not fit. */
export const part = methodOf({
  name: "test_part",
  params: Schema.Array(Schema.String),
  result: Schema.NullOr(Schema.String.check(Schema.isMaxLength(40))),
  blockPart,
})

export const list = methodOf({
  name: "test_list",
  params: Schema.Array(Schema.String),
  result: Schema.Array(Schema.String),
  price: Price.published(10),
  blockItems: itemsIn,
})

/** Asks for one item. */
export const one = (item: string, overrides: Partial<RpcRequest> = {}): RpcRequest =>
  request({ method: part, params: [item], ...overrides })

/** Shows the items of a block. */
export const listOf = (block: string, ...items: ReadonlyArray<string>): RpcRequest =>
  request({ method: list, params: [block, ...items] })

/** What a call of its own is answered with: `null` for an item that does not exist. */
export const valueOf = (item: string): string | null => (item.endsWith("x") ? null : `value of ${item}`)

/** What was sent, in words: `7a`, `whole 7`. */
export const wordsOfRequest = ({ method, params }: RpcRequest): string =>
  method.name === part.name ? String(wordsOf(params)[0]) : `${method.name.slice(5)} ${wordsOf(params)[0] ?? ""}`

/** Answers whatever is asked: blocks have the items `a` to `d`. */
export const answered: Answer = (sent) =>
  Effect.suspend(() => {
    const [first = "", ...others] = wordsOf(sent.params)
    if (first.startsWith("bad")) return fail(new RpcReason.Rejected({ said: "no", httpStatus: 200 }), "rpc-error")(sent)
    sent.onSend?.()
    if (sent.method.name === list.name) return Effect.succeed({ result: ["items", first, ...others] })
    if (sent.method.name === part.name) return Effect.succeed({ result: valueOf(first) })
    const parts = ["a", "b", "c", "d"].map((place) => `value of ${first}${place}`)
    return Effect.succeed({ result: ["whole", first, ...parts] })
  })
