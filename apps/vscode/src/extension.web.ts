/** Entry of the extension in the web worker: a browser has no variables of a process, and `.env` is not read. */
import * as vscode from "vscode"

import { type Activated, activateWith } from "./activation.ts"
import type { FeaturesBundle, HostPort } from "./HostPort.ts"
import { importBundledFrom } from "./project/importBundled.ts"

let activated: Activated | undefined

export const activate = (context: vscode.ExtensionContext): void => {
  const host: HostPort = {
    environment: () => undefined,
    parseDotEnv: () => ({}),
    runsCommands: false,
    ledger: { missing: "in a browser there is no ledger file" },
    noRecordings:
      "Runs can be neither recorded nor replayed in a browser, where the extension has no folder on disk: use the editor on the desktop, or dotrpc run --record and --replay.",
    page: globalThis.origin,
    plugins: { place: "browser", importFrom: (folder) => Promise.resolve(importBundledFrom(folder)) },
    loadFeatures: async (context) => (await loadBundle(context, "features.cjs", ["parquet.cjs"])) as FeaturesBundle,
    loadEvm: (context) => loadBundle(context, "evm.cjs"),
  }
  activated = activateWith(host, context)
}

export const deactivate = (): Promise<void> | undefined => activated?.stop()

/**
 * The worker host loads one file by itself, and evaluates it as this does the others. Those that a bundle requires are read with it, as it
 * does not wait for them, and evaluated when it needs them.
 */
const loadBundle = async (
  context: vscode.ExtensionContext,
  name: string,
  needed: ReadonlyArray<string> = [],
): Promise<object> => {
  const [bundle, ...others] = await Promise.all([name, ...needed].map((file) => readBundle(context, file)))
  if (bundle === undefined) throw new RangeError("There is a bundle for each name.")
  return evaluate(bundle, (id) => {
    const other = others.find((candidate) => id === `./${candidate.name}`)
    return other === undefined ? requireEditor(id) : evaluate(other, requireEditor)
  })
}

interface Bundle {
  readonly name: string
  readonly uri: string
  readonly text: string
}

const readBundle = async ({ extensionUri }: vscode.ExtensionContext, name: string): Promise<Bundle> => {
  const file = vscode.Uri.joinPath(extensionUri, "dist", name)
  return { name, uri: file.toString(), text: new TextDecoder().decode(await vscode.workspace.fs.readFile(file)) }
}

const evaluate = ({ text, uri }: Bundle, require: (id: string) => object): object => {
  const module = { exports: {} }
  // oxlint-disable-next-line typescript/no-implied-eval -- It is a file of this extension.
  new Function("require", "module", "exports", `${text}\n//# sourceURL=${uri}`)(require, module, module.exports)
  return module.exports
}

const requireEditor = (id: string): typeof vscode => {
  if (id === "vscode") return vscode
  throw new Error(`The web worker host has no module "${id}".`)
}
