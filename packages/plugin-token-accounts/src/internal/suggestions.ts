/** Programs, sizes and slices that reads of token accounts are often about. */
import { Json, type ParamSuggestion, type ParamSuggestions } from "@dotrpc/spec"
import { tokenProgram } from "./exampleKeys.ts"

export const suggestPrograms = (...at: ParamSuggestions["at"]): ParamSuggestions => ({ at, values: programs })

const programs: ReadonlyArray<ParamSuggestion> = [
  { value: tokenProgram, label: "Token program", detail: tokenProgram },
  {
    value: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
    label: "Token-2022 program",
    detail: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
  },
]

/** For a config at this position. Parsed data has no slices. */
export const suggestSlices = (position: number): ParamSuggestions => ({
  at: [position, "dataSlice"],
  values: (before) => (isParsed(before[position]) ? [] : slices),
})

const isParsed = (config: Json.Json | undefined): boolean =>
  Json.isObject(config) && config["encoding"] === "jsonParsed"

const slices: ReadonlyArray<ParamSuggestion> = [
  { value: { offset: 64, length: 8 }, detail: "the amount of a token account" },
  { value: { offset: 32, length: 32 }, detail: "the owner of a token account" },
  { value: { offset: 0, length: 32 }, detail: "the mint of a token account" },
]

/** Only accounts of the first token program have a fixed size. */
export const suggestSizes: ParamSuggestions = {
  at: [1, "filters", 0],
  values: ([program]) =>
    program === tokenProgram
      ? [
          { value: { dataSize: 165 }, detail: "token accounts" },
          { value: { dataSize: 82 }, detail: "mints" },
        ]
      : [],
}
