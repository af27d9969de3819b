/** The packed extension. */
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import type { PackedExtension } from "@dotrpc/vscode-host"

const folder = dirname(createRequire(import.meta.url).resolve("dotrpc/package.json"))

/** Packs it. */
export const packExtension = async (): Promise<PackedExtension> => {
  await promisify(execFile)(process.execPath, ["package.ts"], { cwd: folder })
  return { id: "dotrpc.dotrpc", vsix: join(folder, "dist/dotrpc.vsix") }
}
