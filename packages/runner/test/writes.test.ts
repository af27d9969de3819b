/** Requests that change something run only when somebody asked for them. */
import { Evm } from "@dotrpc/plugin-evm"
import type { Method } from "@dotrpc/spec"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { dryRunReports, isGood, type Selection } from "../src/index.ts"
import { play } from "./harness.ts"

/** As a method that sends a transaction. */
const send: Method = { ...Evm.GetTransactionReceipt, name: "eth_send", writes: true }
const plugin = { ...Evm.plugin, methods: [...Evm.plugin.methods, send] }
const hash = `"0x${"ab".repeat(32)}"`
const sending = (name: string, directives = "") => `### ${name}\n# @name ${name}\n${directives}eth_send [${hash}]\n`
const reading = (name: string, directives = "") => `### ${name}\n${directives}eth_getLogs [{}]\n`

const why = "not run: eth_send changes something: run it alone, with --name, or with --allow-writes"
const needs = 'not run: it needs "a", which changes something'

const check = (title: string, text: string, selection: Selection, expected: Readonly<Record<string, string>>) =>
  it.effect(title, () =>
    Effect.gen(function* () {
      const answers = { eth_send: { result: null }, eth_getLogs: { result: [] } }
      const workspace = { plugins: [plugin], config: { networks: { evm: { plugin: "evm", url: "embedded:evm" } } } }
      const { plan, reports, sent } = yield* play({ text, selection, answers, workspace })
      const words = (error: { readonly message: string } | undefined, status: string) => error?.message ?? status
      expect(
        Object.fromEntries(reports.map(({ error, request, status }) => [request.label, words(error, status)])),
      ).toEqual(expected)
      expect(reports.every(isGood)).toBe(true)
      expect(sent).toHaveLength(Object.values(expected).filter((status) => status === "ok").length)
      const planned = dryRunReports(plan).map(({ error, request }) => [
        request.label,
        error?.id === "dry-run" ? "ok" : error?.message,
      ])
      expect(Object.fromEntries(planned)).toEqual(expected)
    }),
  )

describe("a request that writes", () => {
  const file = sending("a") + reading("b")
  check("is left out of a run of all", file, {}, { a: why, b: "ok" })
  check("runs when it is named", file, { names: ["a"] }, { a: "ok" })
  check("runs when writes are allowed", file, { writes: true }, { a: "ok", b: "ok" })
  check("runs when a person points at it alone", file, { indexes: [0] }, { a: "ok" })
  check("does not run when a person points at several", file, { indexes: [0, 1] }, { a: why, b: "ok" })
  check("does not run when a whole file was chosen", file, { indexes: [0], writes: false }, { a: why })
  check("is not named by its tag", sending("a", "# @tag t\n"), { tags: ["t"] }, { a: why })
  check("stops what needs it", sending("a") + reading("b", "# @ref a\n"), {}, { a: why, b: needs })
  check("is not named with what needs it", sending("a") + reading("b", "# @ref a\n"), { names: ["b"] }, { b: needs })
  check(
    "runs with what needs it when both are named",
    sending("a") + reading("b", "# @ref a\n"),
    { names: ["a", "b"] },
    { a: "ok", b: "ok" },
  )
  check(
    "stays skipped when it is named",
    sending("a", "# @skip\n"),
    { names: ["a"] },
    {
      a: "not run: it is marked # @skip; remove that line to run it",
    },
  )
})
