/** Entry of the extension in the web worker: a browser has no variables of a process, and `.env` is not read. */
import type * as vscode from "vscode"

import { activateWith } from "./activation.ts"

export const activate = (context: vscode.ExtensionContext): void =>
  activateWith({ environment: () => undefined, parseDotEnv: () => ({}) }, context)
