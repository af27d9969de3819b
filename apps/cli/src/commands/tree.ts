/** The commands of `dotrpc`, each in a module that is loaded when it is needed: most of a start is loading. */
import { Command } from "effect/cli"

const commands = {
  init: async () => (await import("./init.ts")).initCommand,
  run: async () => (await import("./run.ts")).runCommand,
  watch: async () => (await import("./watch.ts")).watchCommand,
  call: async () => (await import("./call.ts")).callCommand,
  check: async () => (await import("./check.ts")).checkCommand,
  explain: async () => (await import("./explain.ts")).explainCommand,
  fmt: async () => (await import("./fmt.ts")).fmtCommand,
  scan: async () => (await import("./scan.ts")).scanCommand,
  backfill: async () => (await import("./backfill.ts")).backfillCommand,
  query: async () => (await import("./query.ts")).queryCommand,
  probe: async () => (await import("./probe.ts")).probeCommand,
  where: async () => (await import("./where.ts")).whereCommand,
  cost: async () => (await import("./cost.ts")).costCommand,
  credits: async () => (await import("./credits.ts")).creditsCommand,
  networks: async () => (await import("./networks.ts")).networksCommand,
  methods: async () => (await import("./methods.ts")).methodsCommand,
  doctor: async () => (await import("./doctor.ts")).doctorCommand,
  prices: async () => (await import("./prices.ts")).pricesCommand,
  reconcile: async () => (await import("./reconcile.ts")).reconcileCommand,
  trust: async () => (await import("./trust.ts")).trustCommand,
  meter: async () => (await import("./meter.ts")).meterCommand,
  mcp: async () => (await import("./mcp.ts")).mcpCommand,
  gateway: async () => (await import("./gateway.ts")).gatewayCommand,
  lsp: async () => (await import("./lsp.ts")).lspCommand,
  new: async () => (await import("./new.ts")).newCommand,
  import: async () => (await import("./import.ts")).importCommand,
  export: async () => (await import("./export.ts")).exportCommand,
} as const

export const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name)

/** The command tree as far as these arguments need it: the command that they begin with, or else all of them. */
export const treeFor = async ([first = ""]: ReadonlyArray<string>) => {
  const needed = isCommand(first) ? [commands[first]] : Object.values(commands)
  const [head, ...rest] = await Promise.all(needed.map((load) => load()))
  if (head === undefined) throw new RangeError("There is at least one command.")
  return Command.make("dotrpc").pipe(
    Command.withDescription("Saved RPC requests that know what they cost"),
    Command.withSubcommands([head, ...rest]),
  )
}
