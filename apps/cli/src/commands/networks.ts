/** `dotrpc networks`: where a project's calls can go, and what each network lacks. */
import type { WorkspaceNetwork } from "@dotrpc/analysis"
import { Json, pluginsOf, Visible } from "@dotrpc/spec"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { isPreset } from "../MethodList.ts"
import { Output } from "../Output.ts"
import { textTable } from "../render/textTable.ts"
import { wrapped } from "../render/wrapped.ts"
import { formatFlag } from "./flags.ts"
import { projectFlags, projectHere } from "./projectHere.ts"

export const networksCommand = Command.make(
  "networks",
  { format: formatFlag, ...projectFlags },
  Effect.fnUntraced(function* (flags) {
    const { stdout, writeJson } = yield* Output
    const { workspace } = yield* projectHere(flags)
    const own = workspace.networks.filter((entry) => !isPreset(entry))
    if (flags.format === "json") return writeJson(`${Json.stringify(own.map(jsonOf), 2)}\n`)
    const columns = ["network", "plugin", "where", "prices", ""].map((name) => ({ name }))
    const rows = own.map((entry) =>
      [
        entry.network.id,
        pluginsOf(entry.network).join(", "),
        whereOf(entry),
        entry.network.prices?.title ?? "of the plugin",
        lackOf(entry) ?? "",
      ].map((cell) => Visible.line(cell)),
    )
    stdout.write(`${textTable(columns, rows, stdout.colors)}\n`)
    const presets = workspace.networks.filter(isPreset).map(({ network }) => network.id)
    if (presets.length > 0)
      stdout.lines(
        wrapped(`known by name, once rpc.config.json gives them a URL: ${presets.join(", ")}`, stdout.columns ?? 80),
      )
  }),
).pipe(
  Command.withDescription("List the networks of this project: where they are, and what they lack"),
  Command.withExamples([{ command: "dotrpc networks --env prod", description: "Those of an environment" }]),
)

/** Nothing for a network that has no endpoint: its lack says so. */
const whereOf = (entry: WorkspaceNetwork): string => {
  const { hosts = {} } = entry
  const known = [...new Set([hosts.url, hosts.wsUrl])].filter((host) => host !== undefined)
  return known.length > 0 || lackOf(entry) !== undefined ? known.join(", ") : "inside dotrpc"
}

/** What a network needs before anything can be sent there. */
export const lackOf = ({ missing = [], problem }: WorkspaceNetwork): string | undefined =>
  missing.length > 0 ? `not set: ${missing.join(", ")}` : problem

const jsonOf = (entry: WorkspaceNetwork): Json.Json => ({
  id: entry.network.id,
  plugins: [...pluginsOf(entry.network)],
  hosts: entry.hosts === undefined ? null : [entry.hosts.url, entry.hosts.wsUrl].filter((host) => host !== undefined),
  prices: entry.network.prices?.id ?? null,
  chainId: entry.network.chainId ?? null,
  problem: lackOf(entry) ?? null,
})
