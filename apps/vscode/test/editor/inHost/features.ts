/** Runs inside the extension host. */
import { runFlows, sameJson } from "@dotrpc/vscode-host/in-host"
import * as vscode from "vscode"

import { act } from "./act.ts"
import { until } from "./until.ts"

const open = async (path: string): Promise<vscode.TextDocument> => {
  const [folder] = vscode.workspace.workspaceFolders ?? []
  if (folder === undefined) throw new Error("No folder is open.")
  return vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, path))
}

const ask = <Answer>(command: string, ...args: ReadonlyArray<unknown>): Thenable<Answer> =>
  vscode.commands.executeCommand<Answer>(command, ...args)

const problemsOf = (uri: vscode.Uri): Promise<ReadonlyArray<vscode.Diagnostic>> =>
  until(`a problem in ${uri.path}`, () => {
    const found = vscode.languages.getDiagnostics(uri)
    return found.length > 0 ? found : undefined
  })

const lensTitles = async (uri: vscode.Uri): Promise<ReadonlyArray<string>> => {
  const lenses = await ask<ReadonlyArray<vscode.CodeLens>>("vscode.executeCodeLensProvider", uri)
  return lenses.flatMap((lens) => lens.command?.title ?? [])
}

export const run = (): Promise<void> =>
  runFlows({
    "a problem has its place, and a repair that works": async () => {
      const { uri } = await vscode.window.showTextDocument(await open("mixed.rpc")).then(({ document }) => document)
      const [problem] = await problemsOf(uri)
      if (problem === undefined) throw new Error("no problem")
      sameJson([problem.source, problem.range.start.line], ["dotrpc", 8])
      const actions = await ask<ReadonlyArray<vscode.CodeAction>>(
        "vscode.executeCodeActionProvider",
        uri,
        problem.range,
      )
      const edits = actions
        .filter(({ kind }) => kind?.value === "quickfix")
        .flatMap((action) => action.edit?.get(uri) ?? [])
        .map((edit) => edit.newText)
      sameJson(edits, ['"fromBlock"'])
    },
    "a document that was never saved is checked and has lenses": async () => {
      const document = await vscode.workspace.openTextDocument({ language: "rpc", content: "### A\neth_getLog [{}]\n" })
      const [problem] = await problemsOf(document.uri)
      sameJson(problem?.message.includes('did you mean "eth_getLogs"'), true)
      sameJson(await lensTitles(document.uri), ["Run · has errors"])
    },
    "a key that is typed into a file is moved to the secret store by one click": async () => {
      const document = await vscode.window.showTextDocument(await open("typed.rpc")).then((editor) => editor.document)
      const problem = await until("the warning", () =>
        vscode.languages.getDiagnostics(document.uri).find(({ code }) => code === "A501"),
      )
      sameJson(problem.message.includes("canary"), false)
      await act(document.uri, problem.range, "Move to the secret store as API_KEY")
      sameJson(document.lineAt(0).text, "@apiKey = {{$secret.API_KEY}}")
      await until("the secret to be known", () =>
        vscode.languages.getDiagnostics(document.uri).length === 0 ? true : undefined,
      )
    },
    "a key in a configuration is marked while it is typed, and moved to the secret store": async () => {
      await open("keyed/any.rpc")
      const config = await open("keyed/rpc.config.json")
      const problem = await until("the warning", () =>
        vscode.languages.getDiagnostics(config.uri).find(({ code }) => code === "A501"),
      )
      sameJson(problem.message.includes("canary"), false)
      const typed = new vscode.WorkspaceEdit()
      typed.insert(config.uri, new vscode.Position(0, 0), "\n")
      await vscode.workspace.applyEdit(typed)
      const below = problem.range.start.line + 1
      const moved = await until("the warning to follow", () =>
        vscode.languages.getDiagnostics(config.uri).find(({ range }) => range.start.line === below),
      )
      await act(config.uri, moved.range, "Move to the secret store as MAIN_KEY")
      sameJson(config.getText().includes("/v3/{{$secret.MAIN_KEY}}"), true)
      await config.save()
      const { uri } = await open("keyed/any.rpc")
      await until("the request to run with the secret", async () =>
        (await lensTitles(uri))[0]?.startsWith("Run · 255 credits · ") === true ? true : undefined,
      )
      sameJson(vscode.languages.getDiagnostics(config.uri), [])
    },
    "names come from imported files, and from what an editor holds of them": async () => {
      const { uri } = await vscode.window.showTextDocument(await open("importing.rpc")).then(({ document }) => document)
      const lens = async () => (await lensTitles(uri))[0]
      await until("the imported name", async () => ((await lens()) === "Run · 255 credits" ? true : undefined))
      const shared = await open("shared.rpc")
      const edit = new vscode.WorkspaceEdit()
      edit.replace(shared.uri, new vscode.Range(0, 1, 0, 5), "start")
      await vscode.workspace.applyEdit(edit)
      await until("the name to be gone", async () => ((await lens()) === "Run · has errors" ? true : undefined))
      const problems = await problemsOf(uri)
      sameJson(problems.length > 0 && problems.every(({ source }) => source === "dotrpc"), true)
    },
    "the nearest configuration upward gives the prices, and until it is read none is shown": async () => {
      const { uri } = await open("project/deep/own.rpc")
      const told = new Set<string>()
      await until("the price of the configuration", async () => {
        const [title = ""] = await lensTitles(uri)
        told.add(title)
        return title === "Run · 7 credits" ? true : undefined
      })
      told.delete("Run")
      sameJson([...told], ["Run · 7 credits"])
    },
    "a configuration that changes is read again": async () => {
      const { uri } = await open("project/deep/own.rpc")
      const config = await open("project/rpc.config.json")
      const text = new TextEncoder().encode(config.getText().replace("7", "8"))
      await vscode.workspace.fs.writeFile(config.uri, text)
      await until("the new price", async () => ((await lensTitles(uri))[0] === "Run · 8 credits" ? true : undefined))
    },
    "a problem of the configuration is marked in the configuration": async () => {
      await open("wrong/any.rpc")
      const config = await open("wrong/rpc.config.json")
      const problem = await until("a problem in the configuration", () =>
        vscode.languages.getDiagnostics(config.uri).find(({ source }) => source === "dotrpc"),
      )
      sameJson(config.getText(problem.range), '"@dotrpc/plugin-evn"')
    },
    "the outline names requests": async () => {
      const { uri } = await open("mixed.rpc")
      const symbols = await ask<ReadonlyArray<vscode.DocumentSymbol>>("vscode.executeDocumentSymbolProvider", uri)
      sameJson(
        symbols.map(({ name, detail }) => `${name}: ${detail}`),
        ["unknown: eth_getLogs", "broken: eth_getLogs", "blocks: eth_getBlockRange"],
      )
    },
    "a method's name tells its price": async () => {
      const { uri } = await open("mixed.rpc")
      const [hover] = await ask<ReadonlyArray<vscode.Hover>>(
        "vscode.executeHoverProvider",
        uri,
        new vscode.Position(3, 4),
      )
      const [content] = hover?.contents ?? []
      const text = content instanceof vscode.MarkdownString ? content.value : ""
      sameJson(text.split("\n")[0], "**eth_getLogs** · 255 credits · network evm")
    },
  })
