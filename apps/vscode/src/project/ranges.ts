/** Places of the language as the editor's API has them. */
import type { TextRange } from "@dotrpc/lang-service"
import * as vscode from "vscode"

/** Every document of the language, whatever it is read from. */
export const selector: vscode.DocumentSelector = { language: "rpc" }

/** A cell of a notebook is a piece of a file, and understood only with the rest of it. */
export const isRpc = ({ languageId, uri }: vscode.TextDocument): boolean =>
  languageId === "rpc" && uri.scheme !== "vscode-notebook-cell"

export const toRange = ({ start, end }: TextRange): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character)
