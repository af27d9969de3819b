/** A plugin with one method, built with its own copy of everything it needs. */
import { defineMethod, definePlugin, type Plugin, Price } from "@dotrpc/spec"
import { Schema } from "effect"

export const pluginOf = (summary: string): Plugin =>
  definePlugin({
    id: "lamp",
    title: "Lamp",
    docs: "Lamps.",
    methods: [
      defineMethod({
        plugin: "lamp",
        name: "lamp_read",
        summary,
        docs: "Takes the name of a lamp.",
        params: Schema.Tuple([Schema.String]),
        result: Schema.Boolean,
        price: Price.assumed(7),
        idempotent: true,
        examples: [{ title: "The lamp on the desk", params: ["desk"] }],
        render: (on) => ({ total: 1, columns: [], rows: [], headline: on ? "on" : "off" }),
      }),
    ],
  })
