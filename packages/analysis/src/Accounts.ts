/** The limits of the accounts that the networks of a project are paid from. */
import type { Network, PriceSheet } from "@dotrpc/spec"
import type { ProjectConfig } from "./ProjectConfig.ts"
import type { Workspace } from "./Workspace.ts"

/**
 * The most units of an account in one window: its own limit in `limits.accounts`; otherwise `limits.daily` where the window is a
 * day; otherwise the first allowance among the plans of the sheet; `Infinity` where no plan has one.
 */
export const accountLimit = (limits: Limits, sheet: PriceSheet.PriceSheet): number =>
  ownLimit(limits, sheet) ?? assumedPlan(limits, sheet)?.allowance ?? Number.POSITIVE_INFINITY

/** The plan whose allowance is the limit of an account, where the configuration sets none. */
export const assumedPlan = (limits: Limits, sheet: PriceSheet.PriceSheet): PriceSheet.Plan | undefined =>
  ownLimit(limits, sheet) === undefined
    ? (sheet.plans ?? []).find(({ allowance }) => allowance !== undefined)
    : undefined

/** `limits` of `rpc.config.json`. */
export type Limits = NonNullable<ProjectConfig["limits"]>

const ownLimit = ({ accounts = {}, daily }: Limits, { id, window }: PriceSheet.PriceSheet): number | undefined =>
  (Object.hasOwn(accounts, id) ? accounts[id] : undefined) ?? (window.kind === "day" ? daily : undefined)

/** The networks of a workspace in every environment that a file of requests may choose. */
export const networksEverywhere = ({ environments, networks }: Workspace): ReadonlyArray<Network> => [
  ...networks.map(({ network }) => network),
  ...[...environments.values()].flatMap((scope) => scope().networks.map(({ network }) => network)),
]
