/** The tracers that common nodes have, and their settings. */
import { Json, type ParamSuggestion, type ParamSuggestions } from "@dotrpc/spec"

/** For a config at this position. */
export const suggestTracers = (position: number): ReadonlyArray<ParamSuggestions> => [
  { at: [position, "tracer"], values: tracers },
  { at: [position, "tracerConfig"], values: (before) => settingsOf(before[position]) },
]

const tracers: ReadonlyArray<ParamSuggestion> = [
  { value: "callTracer", detail: "the calls as a tree" },
  { value: "prestateTracer", detail: "the accounts that are read, as they were before" },
  { value: "flatCallTracer", detail: "the calls as a list" },
  { value: "4byteTracer", detail: "how often each selector is called" },
]

const settings: ReadonlyMap<Json.Json, ReadonlyArray<ParamSuggestion>> = new Map([
  [
    "callTracer",
    [
      { value: { onlyTopCall: true }, detail: "without the calls inside" },
      { value: { withLog: true }, detail: "with the logs of each call" },
    ],
  ],
  ["prestateTracer", [{ value: { diffMode: true }, detail: "before and after" }]],
])

const settingsOf = (config: Json.Json | undefined): ReadonlyArray<ParamSuggestion> =>
  (Json.isObject(config) ? settings.get(config["tracer"] ?? null) : undefined) ?? []
