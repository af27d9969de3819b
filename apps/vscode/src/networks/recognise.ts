/**
 * One call that recognizes the chain of a server: planned, priced, charged and limited like every other request.
 *
 * Invariant: the call is planned without a server, and sent only by `send`.
 */
import { analyze, type NetworkSettings } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { type ErrorReport, makePlan, type RequestReport, run } from "@dotrpc/runner"
import { type Json, Price, PriceSheet } from "@dotrpc/spec"
import { Effect, Redacted, Stream } from "effect"

import type { Project } from "../project/Project.ts"
import { makeProject } from "../project/Project.ts"
import type { Runtimes } from "../run/Runtimes.ts"
import type { NamedKey } from "./askKeys.ts"
import type { Chain, Family } from "./families.ts"

/** A server that nobody has added yet. */
export interface Candidate {
  /** Settings of the network, with the names of its keys: `url` or `wsUrl`, and `prices`. */
  readonly settings: NetworkSettings
  readonly keys: ReadonlyArray<NamedKey>
}

export interface Question {
  /** The project with the candidate as its only network, and the limits and the ledger of the real one. */
  readonly project: Project
  /** `5 credits`, `20 CU`. */
  readonly price: string
  /** Asks the server, once. Rejects when the run itself fails. */
  readonly send: (runtimes: Runtimes, signal: AbortSignal) => Promise<Answer>
}

export type Answer = { readonly chain: Chain } | { readonly problem: string }

/** Plans the call; throws a message for the user when it may not be sent. */
export const questionFor = (family: Family, { keys, settings }: Candidate, real: Project): Question => {
  const { ledger, limits, prices } = real.config
  const networks = { [id]: { ...family.settings, ...settings } }
  // The configuration that is created with the network counts in the file of the user.
  const counted = real.configFile === undefined ? "file" : ledger
  // A sheet of the project's own is not read again here.
  const shared = prices === undefined || /[./]/.test(prices) ? {} : { prices }
  const project = makeProject({
    configFile: {
      uri: real.configFile?.uri ?? "untitled:rpc.config.json",
      text: JSON.stringify({ networks, limits, ledger: counted, ...shared }),
    },
    plugins: { plugins: real.workspace.plugins, problems: [] },
    env: real.workspace.env,
    secret: (name) => {
      const value = keys.find((key) => key.name === name)?.value ?? real.workspace.secret(name)
      return value === undefined ? undefined : Redacted.value(value)
    },
    now: Date.now(),
  })
  const analysis = analyze(parse(`### Chain\n# @network ${id}\n# @retry 0\n${family.call}\n`), project.workspace)
  const plan = makePlan(analysis)
  const [request] = plan.requests
  const wrong = project.problems[0]?.message ?? request?.errors[0]?.message
  if (request === undefined || wrong !== undefined) throw new Error(wrong ?? "internal error, please report: no call")
  const sheet = request.network?.prices
  const price = request.price ?? { min: 0, max: 0, assumed: false }
  return {
    project,
    price: sheet === undefined ? Price.show(price) : PriceSheet.showUnits(sheet, price.max ?? price.min),
    send: async (runtimes, signal) => {
      const runtime = await runtimes.of(project)
      const reports: Array<RequestReport> = []
      const events = Stream.runForEach(run(plan), (event) =>
        Effect.sync(() => {
          if (event._tag === "RequestFinished") reports.push(event.report)
        }),
      )
      await runtime.runPromise(events, { signal })
      return answerOf(family, reports[0], project)
    },
  }
}

const answerOf = (family: Family, report: RequestReport | undefined, { workspace }: Project): Answer => {
  const plugin = workspace.plugins.find(({ id }) => id === family.plugin)
  const { error, result, status } = report ?? {}
  if (error !== undefined) return { problem: [error.message, adviceOn(error)].filter(isText).join(". ") }
  const chain = status === "ok" && plugin !== undefined ? readResult(family, result, plugin) : undefined
  return chain === undefined
    ? {
        problem: `The server did not answer ${family.method} as expected of this family: ${family.title}. Choose another call, or change the URL.`,
      }
    : { chain }
}

/** There is no file yet in which anything could be changed. */
const adviceOn = ({ advice, reason }: ErrorReport): string | undefined => {
  if (reason === "Timeout") return "Check that the URL is right and that the server can be reached from here"
  return reason === "Unsupported" ? "It may be a chain of another family: choose another call" : advice
}

const readResult = (family: Family, result: Json.Json | undefined, plugin: Parameters<Family["read"]>[1]) =>
  result === undefined ? undefined : family.read(result, plugin)

const isText = (text: string | undefined): text is string => text !== undefined && text !== ""

/** It stands in no file. */
const id = "added"
