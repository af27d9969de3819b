/**
 * What is decided before anything is sent: who may get which secrets, what it may cost, and whether it is all or nothing.
 *
 * Invariant: a request that its host may not be sent has an error in its plan, and is not sent.
 */
import { problem, readInRun, usesOfRun } from "@dotrpc/analysis"
import { refusedBy } from "@dotrpc/project"
import { followRun, priceWithinBudgets, refuseRequests, type RunPlan, sendNothing, whyNothing } from "@dotrpc/runner"
import { type Gate, Price, Visible } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import type { Planned } from "../commands/dryRun.ts"
import { ledgerUses } from "../Ledger.ts"
import { decideUses, isCi } from "../SecretHosts.ts"
import type { AskedRun } from "./AskedRun.ts"

/** A document with what is run of it, and what that has come to so far. */
export interface RunningPlan extends Planned {
  readonly soFar: ReturnType<typeof followRun>
}

export interface DecidedRun {
  readonly plans: ReadonlyArray<RunningPlan>
  readonly gate: Gate
  /** What the run reads of secrets and of the environment. */
  readonly read: ReturnType<typeof readInRun>
  /** What is left to pay, each request within its own budget. */
  readonly price: Price.PriceRange
  /** Why nothing is sent, of a run that is all or nothing. */
  readonly nothing: ReturnType<typeof whyNothing>
}

/** Decides, and asks a person about hosts where one is there. Nothing is sent. */
export const decide = Effect.fnUntraced(function* (asked: AskedRun) {
  const { documents, flags, plans, sendsNothing } = asked
  const wanted = plans.map(({ plan }) => plan)
  const read = readInRun(wanted)
  const usesOf = usesOfRun(wanted, read)
  const projects = [...new Set(documents.map(({ project }) => project))]
  const uses = [...usesOf.values(), ...projects.map((project) => ledgerUses(project, read))].flat()
  const gate = yield* decideUses(sendsNothing ? [] : uses, flags.allowHosts)
  const allowed = wanted.map((plan) =>
    refuseRequests(plan, (request) => {
      const [refused] = sendsNothing ? [] : refusedBy(gate, usesOf.get(request) ?? [])
      return refused === undefined ? undefined : problem("A503", request.call.method, refused)
    }),
  )
  const price = asked.left
    .map(({ plan }) => priceWithinBudgets(plan))
    .reduce(Price.addRanges, { min: 0, max: 0, assumed: false })
  const nothing = nothingOf(asked, allowed, price)
  const running = plans.flatMap(({ document }, index) => {
    const plan = allowed[index]
    if (plan === undefined) return []
    const decided = nothing === undefined ? plan : sendNothing(plan, nothing)
    return [{ document, plan: decided, soFar: followRun(decided) }]
  })
  const run: DecidedRun = { plans: running, gate, read, price, nothing }
  return run
})

/** Why a run that is all or nothing sends nothing, which is said. */
const nothingOf = (
  { flags, host, out, problems }: AskedRun,
  plans: ReadonlyArray<RunPlan>,
  price: Price.PriceRange,
): DecidedRun["nothing"] => {
  if (!Option.getOrElse(flags.allOrNothing, () => isCi(host.env))) return undefined
  const nothing =
    problems.length > 0
      ? { why: "a file could not be read", isRefused: false }
      : whyNothing(plans, price, Option.getOrUndefined(flags.maxCredits))
  if (nothing === undefined) return undefined
  const where = Option.isNone(flags.allOrNothing) ? " in CI" : ""
  out.stderr.line(
    `dotrpc: nothing is sent, as the run is all or nothing${where}: ${Visible.line(nothing.why)}; mend that, or add --no-all-or-nothing to send what can be sent`,
  )
  return nothing
}
