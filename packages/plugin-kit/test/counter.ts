/** A small plugin that keeps every promise, and golden text for it. */
import { defineMethod, definePlugin, Json, type Method, type Plugin, Price, RpcReason } from "@dotrpc/spec"
import { Schema } from "effect"

const count = defineMethod({
  plugin: "counter",
  name: "counter_list",
  summary: "Counters of an owner",
  docs: "Takes an owner and how many to list.",
  positions: ["owner", "count"],
  params: Schema.Tuple([Schema.String, Schema.optionalKey(Schema.Int)]),
  result: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.Union([Schema.Int, Schema.BigInt]) })),
  price: Price.assumed(80),
  idempotent: true,
  examples: [{ title: "All of one owner", params: ["ann"] }],
  classify: (failure) =>
    failure.message === "no such owner" ? new RpcReason.NotFound({ said: failure.message }) : undefined,
  render: (counters, limit) => ({
    total: counters.length,
    columns: [{ name: "name" }, { name: "value", align: "right" }],
    rows: counters.slice(0, limit).map(({ name, value }) => [name, String(value)]),
  }),
})

export const counter: Plugin = definePlugin({
  id: "counter",
  title: "Counter",
  docs: "Counts.",
  methods: [count],
  functions: [
    {
      name: "next",
      signature: "next(integer)",
      docs: "The integer after this one.",
      call: ([value]) =>
        typeof value === "bigint" || Number.isSafeInteger(value)
          ? { value: BigInt(value as bigint | number) + 1n }
          : { problem: `next expects an integer, found ${Json.stringify(value ?? null)}` },
    },
  ],
  networks: [{ id: "home", plugin: "counter", title: "Home" }],
})

/** The same plugin with some members of its method replaced. */
export const withMethod = (changes: Partial<Method>): Plugin => ({
  ...counter,
  methods: [{ ...count, ...changes } as Method],
})

export const goldenText = `// Counters

// All of Ann's.
>> {"jsonrpc":"2.0","id":1,"method":"counter_list","params":["ann"]}
<< {"jsonrpc":"2.0","id":1,"result":[{"name":"a","value":1},{"name":"b","value":18446744073709551615}]}

// Nobody's.
// reason: NotFound
>> {"jsonrpc":"2.0","id":2,"method":"counter_list","params":["zoe",5]}
<< {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no such owner"}}
`
