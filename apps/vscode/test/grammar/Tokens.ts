/** Tokens of a text as VS Code's own tokenizer gives them with this extension's grammars. */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"

import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma"
import { INITIAL, parseRawGrammar, Registry, type IGrammar } from "vscode-textmate"

export interface Token {
  readonly text: string
  /** From outer to inner, without the scope of the whole file and without the `.rpc` at their ends. */
  readonly scopes: ReadonlyArray<string>
}

/** One list of tokens for each line. */
export type TokenizedLines = ReadonlyArray<ReadonlyArray<Token>>

/** Tokenizes an `.rpc` file. */
export async function tokenizeRpc(text: string): Promise<TokenizedLines> {
  return tokenize(await grammarOf("source.rpc"), text)
}

/** Tokenizes Markdown, of which only the fences that this extension injects are known. */
export async function tokenizeMarkdown(text: string): Promise<TokenizedLines> {
  return tokenize(await grammarOf("text.html.markdown"), text)
}

const grammars: Readonly<Record<string, string>> = {
  "source.rpc": "rpc.tmLanguage.json",
  "markdown.rpc.codeblock": "markdown-rpc.tmLanguage.json",
}

const emptyMarkdown = { scopeName: "text.html.markdown", patterns: [], repository: {} }

async function grammarOf(scopeName: string): Promise<IGrammar> {
  const registry = new Registry({
    onigLib: scanner(),
    loadGrammar: async (scope) => {
      const file = grammars[scope]
      if (file === undefined) return parseRawGrammar(JSON.stringify(emptyMarkdown), "markdown.json")
      const path = new URL(`../../syntaxes/${file}`, import.meta.url)
      return parseRawGrammar(await readFile(path, "utf8"), path.pathname)
    },
    getInjections: (scope) => (scope === "text.html.markdown" ? ["markdown.rpc.codeblock"] : undefined),
  })
  const grammar = await registry.loadGrammar(scopeName)
  if (grammar === null) throw new Error(`There is no grammar for ${scopeName}.`)
  return grammar
}

let loaded: Promise<void> | undefined

async function scanner(): Promise<{
  readonly createOnigScanner: typeof createOnigScanner
  readonly createOnigString: typeof createOnigString
}> {
  loaded ??= readFile(createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm")).then(loadWASM)
  await loaded
  return { createOnigScanner, createOnigString }
}

function tokenize(grammar: IGrammar, text: string): TokenizedLines {
  let state = INITIAL
  return text.split("\n").map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state)
    state = ruleStack
    return tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      scopes: scopes.slice(1).map((scope) => scope.replace(/\.rpc$/, "")),
    }))
  })
}
