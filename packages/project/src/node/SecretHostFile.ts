/** The hosts that the secrets of a user belong to, in a file that only that user may read. */
import { dirname } from "node:path"
import { textOf } from "@dotrpc/analysis"
import type { SecretHostStore } from "../SecretHosts.ts"
import * as AtomicFile from "./AtomicFile.ts"
import { withLockAsync } from "./FileLock.ts"
import { makeFolders } from "./makeFolders.ts"
import { readTextFile } from "./RegularFile.ts"

/** The store in a file that need not be there yet. */
export const secretHostFile = (path: string): SecretHostStore => ({
  exclusively: (act) => {
    makeFolders(dirname(path), 0o700)
    return withLockAsync(path, act)
  },
  read: async () => textOf(await readTextFile(path)),
  write: (text) => {
    makeFolders(dirname(path), 0o700)
    AtomicFile.replace(path, text, { private: true })
    return Promise.resolve()
  },
})
