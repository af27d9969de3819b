/** `dotrpc prices`: what providers charge, and where they say so. */
import { sheets } from "@dotrpc/prices"
import { Json, type PriceSheet } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { nameArgument } from "./names.ts"
import { formatFlag } from "./flags.ts"
import { Output } from "../Output.ts"
import { sheetsNamed } from "../PriceSheets.ts"
import { showPriceList, showPrices, windowOf } from "../render/prices.ts"

export const pricesCommand = Command.make(
  "prices",
  {
    provider: nameArgument("provider", "sheets").pipe(
      Argument.withDescription("The id of a provider, or the path of a price sheet (default: list all providers)"),
      Argument.optional,
    ),
    format: formatFlag,
  },
  Effect.fnUntraced(function* (flags) {
    const { stdout, writeJson } = yield* Output
    const now = yield* Clock.currentTimeMillis
    const asked = Option.getOrUndefined(flags.provider)
    if (asked === undefined) {
      const all = sheets()
      if (flags.format === "json") return writeJson(`${Json.stringify(all.map(entryOf), 2)}\n`)
      return stdout.write(showPriceList(all, now, stdout.colors))
    }
    const [sheet] = yield* sheetsNamed([asked])
    if (sheet === undefined) return
    if (flags.format === "json") return writeJson(`${JSON.stringify(sheet, null, 2)}\n`)
    stdout.write(showPrices(sheet, now, stdout.colors, stdout.columns))
  }),
).pipe(
  Command.withDescription("Show what providers charge, in their own units, with sources and dates"),
  Command.withExamples([
    { command: "dotrpc prices", description: "List the providers" },
    { command: "dotrpc prices alchemy", description: "Every price of one provider" },
    {
      command: "dotrpc run logs.rpc --dry-run --prices alchemy,infura",
      description: "What would this file cost there?",
    },
  ]),
)

const entryOf = (sheet: PriceSheet.PriceSheet): Json.Json => ({
  id: sheet.id,
  title: sheet.title,
  unit: sheet.unit.many,
  window: windowOf(sheet),
  checked: sheet.checked ?? null,
  source: sheet.sources[0] ?? null,
})
