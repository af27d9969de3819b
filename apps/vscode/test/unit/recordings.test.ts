/** What is remembered of recordings with a workspace, and runs that are recorded and replayed. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { analyze } from "@dotrpc/analysis"
import { CreditLedger } from "@dotrpc/core"
import { parse } from "@dotrpc/lang"
import { makeGate } from "@dotrpc/project"
import { makePlan, run, summarizeReport } from "@dotrpc/runner"
import { Layer, Stream } from "effect"
import { afterEach, beforeEach, describe, expect, test } from "vitest"

import { makeProject } from "../../src/project/Project.ts"
import { nameOf, Recordings, type RecordingChoice } from "../../src/project/Recordings.ts"
import { makeRuntime } from "../../src/run/runtimeLayer.ts"

describe("what a workspace remembers", () => {
  const check = (title: string, kept: unknown, expected: RecordingChoice | undefined, missing?: string) =>
    test(title, () => expect(new Recordings(stateWith(kept), missing).current).toEqual(expected))
  const choice = { kind: "replay", folder: "/project/recordings" } as const

  check("is nothing at first", undefined, undefined)
  check("is the kind and the folder", choice, choice)
  check("does not apply where there is no folder on disk", choice, undefined, "not in a browser")
  check("counts as nothing if another version wrote something else", { ...choice, kind: "both" }, undefined)
  check("counts as nothing without a folder", { ...choice, folder: "" }, undefined)
})

test("a choice is known, and reported, before it is kept, and another can be made", async () => {
  const state = stateWith(undefined)
  const recordings = new Recordings(state, undefined)
  const heard: Array<RecordingChoice["kind"] | undefined> = []
  recordings.onDidChange(() => heard.push(recordings.current?.kind))
  const chosen = recordings.choose({ kind: "replay", folder: "/a" })
  expect([heard, recordings.isReplaying]).toEqual([["replay"], true])
  await chosen
  await recordings.choose({ kind: "record", folder: "/a" })
  expect([recordings.isReplaying, new Recordings(state, undefined).current?.kind]).toEqual([false, "record"])
  await recordings.choose(undefined)
  expect([heard, new Recordings(state, undefined).current]).toEqual([["replay", "record", undefined], undefined])
})

test.each([
  ["/project/recordings", "recordings"],
  ["c:\\project\\recordings\\", "recordings"],
  ["/", "/"],
])("the name of %s is %s", (folder, expected) => expect(nameOf(folder)).toBe(expected))

describe("a run", () => {
  let folder: string
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "recordings-"))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const project = makeProject({ env: () => undefined, secret: () => undefined, now: 0 })
  const text = "### Number\n# @network evm\neth_blockNumber []\n"

  const runIn = async (daily: number, recording?: RecordingChoice) => {
    const ledger = Layer.orDie(CreditLedger.layerMemory({ daily }))
    const runtime = makeRuntime(project, ledger, { gate: makeGate(), page: undefined, loadEvm: undefined }, recording)
    const events = run(makePlan(analyze(parse(text), project.workspace)))
    const all = await runtime.runPromise(Stream.runCollect(events))
    return [...all].flatMap((event) => (event._tag === "RequestFinished" ? [event.report] : []))
  }

  test("is answered from what another one recorded, without credits, as often as it is replayed", async () => {
    const [recorded] = await runIn(1_000, { kind: "record", folder })
    expect([recorded?.status, recorded?.credits, readdirSync(folder).length]).toEqual(["ok", 80, 1])
    for (const _ of [1, 2]) {
      const [replayed] = await runIn(0, { kind: "replay", folder })
      expect([replayed?.status, replayed?.credits, replayed?.avoided]).toEqual(["ok", 0, 80])
      expect(replayed === undefined ? "" : summarizeReport(replayed)).toContain("80 avoided")
    }
  })

  test("without its recording fails, and sends nothing", async () => {
    const [missed] = await runIn(0, { kind: "replay", folder })
    expect([missed?.status, missed?.credits]).toEqual(["failed", 0])
    expect(missed?.error?.message).toContain("no call of eth_blockNumber on evm with these params is recorded")
    expect(missed?.error?.advice).toContain('with the command "dotrpc: Record Runs…"')
    expect(missed?.error?.advice).not.toContain("--")
  })
})

function stateWith(kept: unknown) {
  const values = new Map([["recordings", kept]])
  return {
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => {
      values.set(key, value)
      return Promise.resolve()
    },
  }
}
