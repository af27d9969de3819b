/** `dotrpc reconcile FILE --prices ID`: a provider's own count beside that of the ledger, method by method. Sends nothing. */
import type { Workspace } from "@dotrpc/analysis"
import { CreditLedger } from "@dotrpc/core"
import { ExitCode } from "@dotrpc/runner"
import { Json, PriceSheet } from "@dotrpc/spec"
import { Clock, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { causesOf, leftBehind, type MethodDrift } from "../DriftCause.ts"
import { Host } from "../Host.ts"
import { isShared, ledgerOf } from "../Ledger.ts"
import { Output } from "../Output.ts"
import { oneSheet } from "../PriceSheets.ts"
import { type Reconciliation, showReconciliation } from "../render/reconciliation.ts"
import { openSource } from "../SourceFiles.ts"
import { readUsage, type UsageExport } from "../UsageExport.ts"
import { formatFlag } from "./flags.ts"
import { ledgerFailure, ledgerFlags, openLedgerProject } from "./ledgerProject.ts"

export const reconcileCommand = Command.make(
  "reconcile",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("The provider's usage by method: CSV or JSON; - reads standard input"),
    ),
    prices: Flag.String("prices").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("The provider: the price sheet of the accounts to compare with"),
    ),
    format: formatFlag,
    ...ledgerFlags,
  },
  Effect.fnUntraced(function* (flags) {
    const host = yield* Host
    const { stdout, writeJson } = yield* Output
    const sheet = yield* oneSheet(flags.prices, "an export is compared with the prices of one provider")
    const source = yield* Effect.promise((signal) => openSource(host, flags.file, signal))
    if (typeof source === "string") return yield* invalid([source])
    const usage = readUsage(source.text, sheet.unit)
    if (typeof usage === "string") return yield* invalid([`${source.file} ${usage}`])
    const { project, gate } = yield* openLedgerProject(flags)
    if (!isShared(project))
      return yield* invalid([
        'each run is counted separately here: add "ledger": "file" to rpc.config.json to have something to compare with',
      ])
    const counted = yield* Effect.flatMap(CreditLedger.CreditLedger, (ledger) =>
      countedBy(ledger, project.workspace, sheet.id),
    ).pipe(Effect.provide(yield* ledgerOf(project, gate)), Effect.mapError(ledgerFailure))
    if (counted === undefined)
      return yield* invalid([
        `no network is paid by the prices of "${sheet.id}": add "prices": "${sheet.id}" to a network in rpc.config.json`,
      ])
    const compared = { ...reconcile(sheet, usage, counted.sums), reserved: counted.held }
    if (flags.format === "json") writeJson(`${Json.stringify(jsonOf(compared), 2)}\n`)
    else stdout.write(showReconciliation(compared, yield* Clock.currentTimeMillis, stdout.colors))
  }),
).pipe(
  Command.withDescription("Compare a provider's usage export with the ledger, method by method"),
  Command.withExamples([
    {
      command: "dotrpc reconcile usage.json --prices quicknode",
      description: "The answer of QuickNode's /v0/usage/rpc/by-method",
    },
    { command: "dotrpc reconcile usage.csv --prices infura", description: "A file of the provider's dashboard" },
  ]),
)

/** What the accounts of a sheet were charged in their window, by method; `undefined` when no network is paid from one. */
const countedBy = Effect.fnUntraced(function* (
  { accounts = new Map<string, CreditLedger.Account>() }: CreditLedger.CreditLedger["Service"],
  { networks }: Workspace,
  sheet: string,
) {
  const used = new Set(networks.map(({ network }) => network.account))
  const sums = new Map<string, number>()
  let held = 0
  let isAny = false
  for (const { id, ledger, prices } of accounts.values()) {
    if (prices?.id !== sheet || !used.has(id)) continue
    isAny = true
    const { byMethod, lost, reserved } = yield* ledger.balance
    const add = (method: string, units: number) => units > 0 && sums.set(method, (sums.get(method) ?? 0) + units)
    for (const [method, units] of Object.entries(byMethod)) add(method, units)
    add(leftBehind, lost)
    held += reserved
  }
  return isAny ? { sums, held } : undefined
})

/** The most that was used first. */
const reconcile = (
  sheet: PriceSheet.PriceSheet,
  { from, methods: used, to }: UsageExport,
  counted: ReadonlyMap<string, number>,
): Omit<Reconciliation, "reserved"> => {
  const rounded = (units: number) => Number(units.toFixed(sheet.unit.decimals ?? 0))
  const methods = [...new Set([...used.keys(), ...counted.keys()])].map((method): MethodDrift => {
    const { calls, units } = used.get(method) ?? { calls: 0, units: 0 }
    const provider = units ?? unitsOf(sheet, method, calls)
    const ledger = rounded(counted.get(method) ?? 0)
    return { method, provider, calls, ledger, drift: provider === undefined ? undefined : rounded(ledger - provider) }
  })
  const provider = methods.some((each) => each.provider === undefined)
    ? undefined
    : rounded(methods.reduce((sum, each) => sum + (each.provider ?? 0), 0))
  const ledger = rounded(methods.reduce((sum, each) => sum + each.ledger, 0))
  const drift = provider === undefined ? undefined : rounded(ledger - provider)
  const most = ({ ledger, provider = 0 }: MethodDrift) => Math.max(ledger, provider)
  return {
    sheet,
    from,
    to,
    methods: methods.toSorted((left, right) => most(right) - most(left)),
    total: { provider, ledger, drift },
    causes: causesOf(sheet, methods).toSorted((left, right) => Math.abs(right.units) - Math.abs(left.units)),
  }
}

/** What so many calls cost; `undefined` where a call has no fixed price. */
const unitsOf = (sheet: PriceSheet.PriceSheet, name: string, calls: number | undefined): number | undefined => {
  const hasChains = (sheet.chains ?? []).length > 0
  const { flat } = PriceSheet.shapeOf(sheet, { method: { name }, network: { plugin: "" } })
  return calls === undefined || flat === undefined || hasChains ? undefined : calls * flat
}

const jsonOf = ({ causes, from, methods, reserved, sheet, to, total }: Reconciliation): Json.Json => ({
  prices: sheet.id,
  unit: sheet.unit.many,
  from: from ?? null,
  to: to ?? null,
  methods: methods.map(({ calls, drift, ledger, method, provider }) => ({
    method,
    provider: provider ?? null,
    calls: calls ?? null,
    ledger,
    drift: drift ?? null,
  })),
  total: { provider: total.provider ?? null, ledger: total.ledger, drift: total.drift ?? null },
  reserved,
  causes: causes.map((cause) => ({ ...cause })),
})

const invalid = (lines: ReadonlyArray<string>) => new CommandFailed({ lines, exitCode: ExitCode.invalid })
