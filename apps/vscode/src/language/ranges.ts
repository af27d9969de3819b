/** Places of the language as the editor's API has them. */
import type { TextRange } from "@dotrpc/lang-service"
import * as vscode from "vscode"

/** Every document of the language, whatever it is read from. */
export const selector: vscode.DocumentSelector = { language: "rpc" }

export const isRpc = (document: vscode.TextDocument): boolean => document.languageId === "rpc"

export const toRange = ({ start, end }: TextRange): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character)
