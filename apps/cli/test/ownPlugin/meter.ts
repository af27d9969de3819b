/** A plugin as a project of its own has it: with exact numbers, an error of its own and a network with an address. */
import { defineMethod, definePlugin, Json, Price, RpcReason, withUnknownMembers } from "@dotrpc/spec"
import { Schema } from "effect"

const Exact = Schema.Union([
  Schema.Number,
  Schema.BigInt,
  Schema.declare((value): value is Json.JsonNumber => value instanceof Json.JsonNumber),
])

const Day = Schema.Union([Schema.Literal("today"), Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\d$/))])

const Options = withUnknownMembers(Schema.Struct({ unit: Schema.optionalKey(Schema.String) }))

const read = defineMethod({
  plugin: "meter",
  name: "meter_read",
  summary: "What a meter shows",
  docs: "Takes the name of a meter, a tariff, a day and options.",
  positions: ["meter", "tariff", "day", "options"],
  params: Schema.Tuple([
    Schema.String,
    Schema.optionalKey(Exact),
    Schema.optionalKey(Day),
    Schema.optionalKey(Options),
  ]),
  result: Schema.Struct({ value: Exact }),
  price: Price.assumed(7),
  idempotent: true,
  examples: [{ title: "The main meter", params: ["main"] }],
  classify: ({ message }) =>
    message === "no such meter" ? new RpcReason.NotFound({ said: `${message}, says the plugin` }) : undefined,
  render: ({ value }) => ({ total: 1, columns: [], rows: [], headline: `shows ${Json.stringify(value)}` }),
})

export const plugin = definePlugin({
  id: "meter",
  title: "Meter",
  docs: "Meters.",
  methods: [read],
  functions: [
    {
      name: "tariff",
      signature: "tariff()",
      docs: "The tariff.",
      call: () => ({ value: new Json.JsonNumber("0.50") }),
    },
  ],
  networks: [{ id: "closed", plugin: "meter", url: "http://127.0.0.1:2" }],
})
