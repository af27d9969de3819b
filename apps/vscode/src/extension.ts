/** Entry of the extension in the Node extension host: on the desktop, over SSH, in WSL and in containers. */
import { parseEnv } from "node:util"

import type * as vscode from "vscode"

import { activateWith } from "./activation.ts"

export const activate = (context: vscode.ExtensionContext): void =>
  activateWith(
    {
      environment: (name) => process.env[name],
      parseDotEnv: parseEnv,
      loadFeatures: () => import("./features.ts"),
    },
    context,
  )
