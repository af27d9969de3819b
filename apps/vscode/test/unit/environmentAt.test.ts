/** The environment that the status bar names: the one of `# @env`, else the chosen one. */
import { analyze } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { expect, test } from "vitest"

import { environmentAt, type EnvironmentThere } from "../../src/project/environmentAt.ts"
import { makeProject } from "../../src/project/Project.ts"

const config =
  '{ "networks": { "a": { "plugin": "evm", "url": "embedded:evm" } }, "environments": { "prod": {}, "stage": {} } }'

/** `|` is the cursor. */
const check = (what: string, marked: string, chosen: string | undefined, expected: EnvironmentThere) =>
  test(what, () => {
    const project = makeProject({
      configFile: { uri: "file:///rpc.config.json", text: config },
      environment: chosen,
      env: () => undefined,
      secret: () => undefined,
      now: 0,
    })
    const analysis = analyze(parse(marked.replace("|", "")), project.workspace)
    expect(environmentAt({ analysis, offset: marked.indexOf("|") })).toEqual(expected)
  })

const two = "### A\n# @env prod\neth_getLogs [{}]\n\n### B\neth_getLogs [{|}]\n"
check("is the chosen one", "### A\neth_getLogs [{|}]\n", "stage", { name: "stage", isSaid: false })
check("is absent when none was chosen", "### A\neth_getLogs [{|}]\n", undefined, { name: undefined, isSaid: false })
check("is that of the request", two.replace("|", "").replace("[{", "[{|"), "stage", { name: "prod", isSaid: true })
check("is not that of another request", two, "stage", { name: "stage", isSaid: false })
check("is that of the file", `# @env prod\n${"### A\neth_getLogs [{|}]\n"}`, undefined, { name: "prod", isSaid: true })
check(
  "is that of the request before that of the file",
  "# @env prod\n### A\n# @env stage\neth_getLogs [{|}]\n",
  undefined,
  {
    name: "stage",
    isSaid: true,
  },
)
check("is that of the file above its requests", "# @env prod|\n\n### A\neth_getLogs [{}]\n", "stage", {
  name: "prod",
  isSaid: true,
})
