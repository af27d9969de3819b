/** The setting `dotrpc.comparePrices`: the price sheets that a plan and hovers compare. */
import * as vscode from "vscode"

/** Settings come from a user's file, so they may have any type. */
export const comparedPrices = (document: vscode.Uri): ReadonlyArray<string> => {
  const said = vscode.workspace.getConfiguration("dotrpc", document).get<unknown>("comparePrices")
  return Array.isArray(said) ? said.filter((name) => typeof name === "string") : []
}
