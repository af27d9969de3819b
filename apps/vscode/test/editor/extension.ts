/** The packed extension, as the editor flows install it. */
import { fileURLToPath } from "node:url"

import type { PackedExtension } from "@dotrpc/vscode-host"

export const packed: PackedExtension = {
  id: "dotrpc.dotrpc",
  vsix: fileURLToPath(new URL("../../dist/dotrpc.vsix", import.meta.url)),
}
