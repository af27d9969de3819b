/** The limits of the accounts that the networks of a project are paid from. */
import type { Network, PriceSheet } from "@dotrpc/spec"
import type { ProjectConfig } from "./ProjectConfig.ts"
import type { Workspace } from "./Workspace.ts"

/**
 * The most units of an account in one window: its own limit in `limits.accounts`; otherwise `limits.daily` where the window is a
 * day; otherwise the first allowance among the plans of the sheet; `Infinity` where no plan has one.
 */
export const accountLimit = (
  { accounts = {}, daily }: NonNullable<ProjectConfig["limits"]>,
  { id, plans = [], window }: PriceSheet.PriceSheet,
): number => {
  const own = Object.hasOwn(accounts, id) ? accounts[id] : undefined
  const allowance = plans.find((plan) => plan.allowance !== undefined)?.allowance
  return own ?? (window.kind === "day" ? daily : undefined) ?? allowance ?? Number.POSITIVE_INFINITY
}

/** The networks of a workspace in every environment that a file of requests may choose. */
export const networksEverywhere = ({ environments, networks }: Workspace): ReadonlyArray<Network> => [
  ...networks.map(({ network }) => network),
  ...[...environments.values()].flatMap((scope) => scope().networks.map(({ network }) => network)),
]
