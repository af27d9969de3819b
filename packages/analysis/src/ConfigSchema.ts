/** The schema of `rpc.config.json` as JSON Schema, for the editors that complete it. */
import { providers } from "@dotrpc/prices"
import type { Plugin } from "@dotrpc/spec"
import type { JsonSchema } from "effect"
import { draft07 } from "./internal/draft07.ts"
import { ConfigFile, defaultPlugins } from "./ProjectConfig.ts"

/**
 * A schema of draft 7, which every editor reads. The names of the plugins, and of the networks they know, are offered
 * where one is typed; others may be written as well.
 */
export const configSchema = (plugins: ReadonlyArray<Plugin>): JsonSchema.JsonSchema => {
  const examples: Readonly<Record<string, ReadonlyArray<unknown>>> = {
    plugin: plugins.map(({ id }) => id),
    preset: plugins.flatMap(({ networks }) => networks.map(({ id }) => id)),
    prices: [...providers, "./prices.json"],
    url: ["https://example.com/v3/{{$secret.API_KEY}}", "embedded:evm"],
    headers: [{ Authorization: "Bearer {{$secret.API_KEY}}" }],
    labels: [{ "0x5FbDB2315678afecb367f032d93F642f64180aa3": "Treasury" }],
    ledger: ["memory", "file", "redis://127.0.0.1:6379", "postgres://db.example/team"],
    plugins: [...defaultPlugins],
  }
  const offered = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(offered)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, key === "properties" ? members(inner) : offered(inner)]),
    )
  }
  const members = (properties: unknown): unknown => {
    const isNetwork = typeof properties === "object" && properties !== null && "wsUrl" in properties
    return Object.fromEntries(
      Object.entries(typeof properties === "object" && properties !== null ? properties : {}).map(([name, schema]) => {
        const inner = offered(schema)
        // A network names plugins by their ids, the project by their packages.
        const names = name === "plugins" && isNetwork ? examples["plugin"] : examples[name]
        return [name, names === undefined ? inner : withExamples(inner, names)]
      }),
    )
  }
  return draft07(ConfigFile, "Networks, environments and limits of .rpc files", offered)
}

/** Of a list, the examples are those of its items. */
const withExamples = (schema: unknown, examples: ReadonlyArray<unknown>): unknown => {
  if (typeof schema !== "object" || schema === null) return schema
  return "items" in schema
    ? { ...schema, items: withExamples(schema.items, examples) }
    : { ...schema, examples: [...examples] }
}
