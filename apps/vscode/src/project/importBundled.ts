/**
 * Importing a project's own plugins in a browser. A module that is one file, without imports of its own, is read as
 * text and imported from a URL that only this worker knows.
 */
import type { ImportedPlugin, ImportPlugin } from "@dotrpc/project"
import * as vscode from "vscode"

export const importBundledFrom =
  (folder: vscode.Uri): ImportPlugin =>
  async (entry) => {
    if (!/^[./]/.test(entry)) return { problem: `is a package, and ${advice}` }
    const module = entry.startsWith("/") ? folder.with({ path: entry }) : vscode.Uri.joinPath(folder, entry)
    try {
      return await importText(new TextDecoder().decode(await vscode.workspace.fs.readFile(module)))
    } catch {
      return { problem: `was not found: there is no ${module.path}` }
    }
  }

/** Never rejects. */
const importText = async (text: string): Promise<ImportedPlugin> => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }))
  try {
    return { exports: (await import(url)) as object }
  } catch (error) {
    const said = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).replaceAll(url, "it")
    // A browser has no code for imports that lead nowhere, only words.
    const isImport = error instanceof TypeError && /\bmodule\b/.test(error.message)
    return { problem: isImport ? `cannot be loaded here (${said}): ${advice}` : `cannot be loaded: ${said}` }
  } finally {
    URL.revokeObjectURL(url)
  }
}

const advice = "in a browser a plugin must be one bundled file, such as the output of esbuild --bundle --format=esm"
