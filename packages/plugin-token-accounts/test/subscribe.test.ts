/** Subscriptions: what a script opens by name, what a name that is not one fails with, and events as rows. */
import { isStream, type Json, type RpcError, Subscriptions } from "@dotrpc/spec"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { TokenAccounts } from "../src/index.ts"

const subscribe = TokenAccounts.subscribe as (
  name: unknown,
  filter?: unknown,
  options?: unknown,
) => Stream.Stream<unknown, RpcError, Subscriptions>

/** The method and the params of what is opened. */
const opened = async (...args: Parameters<typeof subscribe>) => {
  const calls: Array<readonly [string, unknown]> = []
  const service = Subscriptions.of({
    events: (subscription, params) => {
      calls.push([subscription.open.name, params])
      return Stream.empty
    },
  })
  await Effect.runPromise(Effect.provideService(Stream.runDrain(subscribe(...args)), Subscriptions, service))
  return calls
}

const key = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"

describe("a subscription is opened", () => {
  const check = (what: string, args: Parameters<typeof subscribe>, method: string, params: Json.Json) =>
    it(what, async () => expect(await opened(...args)).toEqual([[method, params]]))
  check("to all logs", ["logs"], "logsSubscribe", ["all"])
  check("to the logs of a key", ["logs", { mentions: [key] }], "logsSubscribe", [{ mentions: [key] }])
  check("at a commitment", ["logs", "all", { commitment: "confirmed" }], "logsSubscribe", [
    "all",
    { commitment: "confirmed" },
  ])
  check("to slots", ["slot"], "slotSubscribe", [])
})

describe("a subscription is refused", () => {
  const check = (name: unknown, message: string, advice: string) =>
    it(JSON.stringify(name) ?? "without a name", async () => {
      const none = Subscriptions.of({ events: () => Stream.empty })
      const error = await Effect.runPromise(
        Effect.flip(Effect.provideService(Stream.runDrain(subscribe(name)), Subscriptions, none)),
      )
      expect(error).toMatchObject({ outcome: "unsent", reason: { _tag: "InvalidParams", said: message } })
      expect(error.advice).toContain(advice)
    })
  const expected = 'expected a subscription, "logs" or "slot", found'
  check("slots", `${expected} "slots"`, 'Use "slot" instead.')
  check("newHeads", `${expected} "newHeads"`, "Compare the params")
  check(undefined, `${expected} undefined`, "Compare the params")
})

describe("a filter of logs", () => {
  const check = (params: Json.Json, problem: string | undefined) =>
    it(`${JSON.stringify(params)} ${problem === undefined ? "is right" : "is wrong"}`, () => {
      const { open } = TokenAccounts.LogsSubscription
      const network = { id: "any", plugin: "token-accounts", title: "any", secrets: [] }
      const [issue] = open.issues(params, network)
      if (problem === undefined) expect(issue).toBeUndefined()
      else expect(issue?.message).toContain(problem)
    })
  check(["all"], undefined)
  check(["allWithVotes", { commitment: "processed" }], undefined)
  check([{ mentions: [key] }], undefined)
  check([], 'position 0 is missing: the filter, "all" for all transactions')
  check([{ mentions: [] }], "missing")
  check([{ mentions: [key, key] }], "")
  check([{ mentions: ["1"] }], "expected a base58 key of 32 bytes, found 1 byte")
  check(["all", { commitment: "soon" }], "confirmed")
})

describe("events as rows", () => {
  const rows = (name: string, events: Json.Json) => {
    const method = TokenAccounts.plugin.streams?.find((stream) => stream.name === name)
    expect(method !== undefined && isStream(method)).toBe(true)
    const { columns, noun, rows } = method?.render?.(events, 10, {}) ?? { columns: [], rows: [] }
    return { noun, columns: columns.map((column) => column.name), rows }
  }

  it("of transactions say the outcome and the logs", () =>
    expect(
      rows("logsSubscribe", [
        {
          context: { slot: 7 },
          value: { signature: "5abc", err: null, logs: ["Program 1 invoke [1]", "Program 1 success"] },
        },
        { context: { slot: 8 }, value: { signature: "5abd", err: { InstructionError: [0, { Custom: 1 }] }, logs: [] } },
        { context: { slot: 8 }, value: { signature: "5abe", err: "AccountNotFound", logs: null } },
      ]),
    ).toEqual({
      noun: ["transaction", "transactions"],
      columns: ["slot", "outcome", "signature", "logs"],
      rows: [
        ["7", "success", "5abc", "Program 1 invoke [1]; Program 1 success"],
        ["8", "failed: InstructionError", "5abd", ""],
        ["8", "failed: AccountNotFound", "5abe", ""],
      ],
    }))

  it("of slots say what cannot be taken back", () =>
    expect(rows("slotSubscribe", [{ slot: 76, parent: 75, root: 44 }])).toEqual({
      noun: ["slot", "slots"],
      columns: ["slot", "parent", "root"],
      rows: [["76", "75", "44"]],
    }))
})
