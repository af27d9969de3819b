/**
 * Runs the flows of the editor: those of a landing; with `TEST_DEEP=1` all of them, in both extension hosts; or those of the files
 * that are named, in both hosts.
 *
 *     node test/editor/run.ts
 *     node test/editor/run.ts limits deep/measured/typing
 *     TEST_DEEP=1 node test/editor/run.ts
 *
 * Two lanes run beside each other, as each waits for its own server and browser much of the time. What is measured by the clock
 * comes afterwards, alone.
 */
import { existsSync } from "node:fs"
import { join, relative } from "node:path"

import { type Batch, findFlows, runSuite } from "@dotrpc/vscode-host"

const folder = import.meta.dirname
const named = process.argv.slice(2).map((name) => join(folder, `${name}.flow.ts`))
const unknown = named.filter((path) => !existsSync(path))
if (unknown.length > 0) throw new Error(`There are no flows in ${unknown.join(", ")}`)

const files = named.length === 0 ? findFlows(folder) : named
const isMeasured = (path: string): boolean => relative(folder, path).startsWith(join("deep", "measured"))
const flows = files.filter((path) => !isMeasured(path))

/** Their flows start servers of their own, so that it matters least that other flows share theirs. */
const apart = new Set(
  ["agents", "backfills", "credits", "inHost", "trust"].map((name) => join(folder, `${name}.flow.ts`)),
)

/** The name of every flow in a browser's worker says so. */
const ofWeb = "web host|browser"

const inNode = (paths: ReadonlyArray<string>): Batch => ({
  mark: "node",
  files: paths,
  filter: [`--test-skip-pattern=${ofWeb}`],
})

const passed = await runSuite({
  lanes: [
    [inNode(flows.filter((path) => !apart.has(path)))],
    [
      { mark: "web ", files: flows, filter: [`--test-name-pattern=${ofWeb}`] },
      inNode(flows.filter((path) => apart.has(path))),
    ],
  ],
  alone: [{ mark: "time", files: files.filter(isMeasured) }],
  environment:
    named.length === 0
      ? { VSCODE_HOST_PICTURES: process.env["VSCODE_HOST_PICTURES"] ?? "failures" }
      : { TEST_DEEP: "1" },
})
process.exitCode = passed ? 0 : 1
