/** `dotrpc where`: what a file costs at every configured network, with the limits that each has. Sends nothing. */
import { showDollars } from "@dotrpc/analysis"
import { Json, Price, Visible } from "@dotrpc/spec"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Output } from "../Output.ts"
import { cheapestOf, type Place, placesOf } from "../probe/places.ts"
import { sheetsOf } from "../PriceSheets.ts"
import { textTable } from "../render/textTable.ts"
import { configFlag, environmentFlag, formatFlag, trustFlag } from "./flags.ts"
import { fileArgument } from "./paths.ts"

export const whereCommand = Command.make(
  "where",
  {
    file: fileArgument("file"),
    prices: Flag.String("prices").pipe(
      Flag.withMetavar("id,id"),
      Flag.withDescription("Also by these price sheets, with the limits of each network; dotrpc prices lists them"),
      Flag.optional,
    ),
    format: formatFlag,
    env: environmentFlag,
    config: configFlag,
    trust: trustFlag,
  },
  Effect.fnUntraced(function* (flags) {
    const { stdout, writeJson } = yield* Output
    const places = yield* placesOf(flags.file, { ...flags, sheets: yield* sheetsOf(flags.prices) })
    const cheapest = cheapestOf(places)
    if (flags.format === "json")
      return writeJson(
        `${Json.stringify({ version: 1, file: flags.file, cheapest: cheapest?.network ?? null, places: places.map(placeJson) }, 2)}\n`,
      )
    const rows = places.map((place) => [
      Visible.line(place.network),
      Visible.line(place.sheet?.id ?? ""),
      place.reason === undefined ? Visible.line(Price.show(place.price)) : "",
      place.usd === undefined || place.reason !== undefined ? "" : showDollars(place.usd),
      Visible.line(place.reason ?? (place.isBuiltIn ? "built in" : place === cheapest ? "the cheapest" : "")),
    ])
    const right = (name: string) => ({ name, align: "right" }) as const
    const columns = [{ name: "network" }, { name: "prices of" }, right("would cost"), right("in money"), { name: "" }]
    stdout.write(`${textTable(columns, rows, stdout.colors)}\n`)
  }),
).pipe(
  Command.withDescription("Show what a file costs at each network, with the limits that probe found; send nothing"),
  Command.withExamples([
    { command: "dotrpc where transfers.rpc", description: "Which of the configured networks is the cheapest?" },
    { command: "dotrpc where transfers.rpc --prices alchemy,quicknode", description: "And at other providers?" },
  ]),
)

const placeJson = ({ network, price, reason, sheet }: Place): Json.JsonObject => ({
  network,
  ...(sheet && { prices: sheet.id }),
  unit: price.unit?.many ?? "credits",
  min: price.min,
  max: price.max ?? null,
  possible: reason === undefined,
  ...(reason !== undefined && { reason }),
})
