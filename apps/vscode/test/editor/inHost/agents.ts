/** Runs inside the extension host of Node, with the tools that an agent of the editor has. */
import { runFlows, sameJson } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

import { until } from "./until.ts"

const isOurs = ({ name }: vscode.LanguageModelToolInformation): boolean => /dotrpc/.test(name)

/** An answer as a model gets it: of one with structured content, the editor passes on that alone. */
const ask = async (name: string, input: object): Promise<Answer> => {
  const tool = vscode.lm.tools.find((each) => isOurs(each) && each.name.endsWith(`_${name}`))
  if (tool === undefined) throw new Error(`There is no tool ${name}.`)
  const { content } = await vscode.lm.invokeTool(tool.name, { input, toolInvocationToken: undefined })
  const [text] = content.flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : []))
  return JSON.parse(text ?? "{}")
}

interface Answer {
  readonly credits: unknown
  readonly price?: unknown
  readonly status?: unknown
}

export const run = (): Promise<void> =>
  runFlows({
    "the server of the project starts, and has its tools": async () => {
      const tools = await until("its tools", async () => {
        await vscode.commands.executeCommand("workbench.mcp.startServer", "*", { waitForLiveTools: true })
        const found = vscode.lm.tools.filter(isOurs)
        return found.length > 0 ? found : undefined
      })
      sameJson(tools.length, 10)
    },
    "a price is free, and begins with what the purse of the settings has": async () => {
      const { credits, price } = await ask("price", { name: "logs" })
      sameJson(credits, { spent: 0, left: 300, unit: "credits" })
      sameJson(price, { min: 255, max: 255, unit: "credits", assumed: false })
    },
    "a run is paid from it, and none is sent that it cannot pay": async () => {
      const first = await ask("run", { name: "logs" })
      sameJson([first.credits, first.status], [{ spent: 255, left: 45, unit: "credits" }, "ok"])
      const second = await ask("run", { name: "again" })
      sameJson([second.credits, second.status], [{ spent: 0, left: 45, unit: "credits" }, undefined])
    },
  })
