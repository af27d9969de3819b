import { describe, expect, it } from "vitest"
import { start } from "./start.ts"

describe("capabilities", () => {
  it("are these", async () => {
    const { initialized } = await start()
    expect(initialized).toEqual({
      serverInfo: { name: "dotrpc", version: "1.2.3" },
      capabilities: {
        positionEncoding: "utf-16",
        textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
        notebookDocumentSync: { notebookSelector: [{ notebook: "dotrpc-notebook" }] },
        completionProvider: { triggerCharacters: ['"', ".", "$", "@", "{", " ", "("] },
        hoverProvider: true,
        signatureHelpProvider: { triggerCharacters: ["(", ",", "["] },
        definitionProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        documentSymbolProvider: true,
        documentLinkProvider: {},
        codeActionProvider: { codeActionKinds: ["quickfix", "refactor.rewrite"] },
        documentFormattingProvider: true,
        documentRangeFormattingProvider: true,
        documentOnTypeFormattingProvider: { firstTriggerCharacter: "\n", moreTriggerCharacter: ["}", "]"] },
        renameProvider: { prepareProvider: true },
        foldingRangeProvider: true,
        selectionRangeProvider: true,
        semanticTokensProvider: {
          legend: {
            tokenTypes: [
              "namespace",
              "comment",
              "decorator",
              "variable",
              "property",
              "function",
              "method",
              "string",
              "number",
              "operator",
              "keyword",
            ],
            tokenModifiers: ["declaration", "readonly"],
          },
          full: true,
          range: true,
        },
        inlayHintProvider: true,
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    })
  })
  it("add diagnostics on request for a client that asks for them", async () => {
    const { initialized } = await start({ capabilities: { textDocument: { diagnostic: {} } } })
    expect(initialized.capabilities.diagnosticProvider).toEqual({
      interFileDependencies: true,
      workspaceDiagnostics: false,
    })
  })
  it("are colours of ranges only where the program in front asks for those", async () => {
    const { initialized } = await start({ server: { coloursInView: true } })
    expect(initialized.capabilities.semanticTokensProvider).toMatchObject({ full: false, range: true })
  })
})
