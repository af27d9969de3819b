/** Why the files of a project are not used at all. Then nothing in it runs, and its configuration shows the reason. */
import { lengthRefusal as refusalOf } from "@dotrpc/session"

import type { ConfigFile } from "./Project.ts"

/** Another user of this machine could say with one of these files where keys go, and which code runs. */
export const foreignRefusal = async <File extends { readonly path: string }>(
  files: ReadonlyArray<File>,
  { foreignOwner }: { readonly foreignOwner?: ((file: File) => Promise<number | undefined>) | undefined },
): Promise<string | undefined> => {
  for (const file of files) {
    const owner = await foreignOwner?.(file)
    if (owner !== undefined)
      return `${file.path.replace(/^.*\//, "")} belongs to another user (id ${owner}), who can change where your keys are sent and which code runs: copy the folder, and open the copy`
  }
  return undefined
}

/** What is too long would keep the editor waiting. */
export const lengthRefusal = (configFile: ConfigFile | undefined): string | undefined =>
  configFile === undefined ? undefined : refusalOf(configFile.text)
