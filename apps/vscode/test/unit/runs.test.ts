/** A run ends, whatever the view does that shows it. */
import { CreditLedger, RangeScan } from "@dotrpc/core"
import { makeGate } from "@dotrpc/project"
import { keptUnits } from "@dotrpc/runner"
import { Layer } from "effect"
import { expect, test } from "vitest"
import type * as vscode from "vscode"

import { makeProject } from "../../src/project/Project.ts"
import { Runs } from "../../src/run/Runs.ts"
import type { RunView } from "../../src/run/RunSink.ts"
import { makeRuntime } from "../../src/run/runtimeLayer.ts"

const project = makeProject({ env: () => undefined, secret: () => undefined, now: 0 })
const uri = { scheme: "file", path: "/a.rpc", fsPath: "/a.rpc", toString: () => "file:///a.rpc" } as vscode.Uri
const log = { info: () => undefined, error: () => undefined }

/** Everything around the runs of a window, as far as a run over sample data asks for it. */
const runsOf = async () => {
  const ledger = Layer.orDie(CreditLedger.layerMemory({ daily: 1_000_000 }))
  const runtime = makeRuntime(project, ledger, { gate: makeGate(), page: undefined, loadEvm: undefined })
  const parts = [
    { loaded: async () => project },
    { loaded: async () => ({ uri: uri.toString(), files: new Map(), texts: new Map() }) },
    { of: async () => runtime },
    async () => true,
    { agree: async () => () => true },
    keptUnits(),
    RangeScan.memoryOfProcess(),
    { current: undefined },
    log,
  ] as unknown as ConstructorParameters<typeof Runs>
  return new Runs(...parts)
}

const fails = (): never => {
  throw new Error("the view is broken")
}
const fine: RunView = { receive: () => undefined, abandon: () => undefined, end: () => undefined }

test.each<[string, RunView]>([
  ["nothing", fine],
  ["each event", { ...fine, receive: fails }],
  ["the end", { ...fine, end: fails }],
  ["everything", { receive: fails, abandon: fails, end: fails }],
])("a view that breaks at %s leaves no run active", async (_, view) => {
  const runs = await runsOf()
  let ended = 0
  runs.onDidEnd(() => void ended++)
  const text = "### head\n# @network evm\neth_blockNumber []\n"
  const sink = { busy: () => undefined, begin: () => view }
  await runs.start(uri, () => ({ uri, text, requests: [], sink, repeat: async () => undefined }))
  expect(ended).toBe(1)
  expect(runs.cancelIn(uri)).toBe(false)
})
