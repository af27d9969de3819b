/** The salt of this user for the names of what is kept: see `KeySalt` of `@dotrpc/spec`. */
import { ledgerFile } from "@dotrpc/project/ledger"
import { AtomicFile, keptFile, makeFolders, type Surroundings } from "@dotrpc/project/node"
import { randomBytes } from "node:crypto"
import { dirname, join } from "node:path"

/**
 * A file beside the ledger, created when something is kept for the first time. Where there can be none, the salt is that of this process,
 * and what was kept under it is not found again.
 */
export const keySaltOf = (user: Pick<Surroundings, "env" | "home">): string => {
  const file = join(dirname(ledgerFile(user)), "key-salt")
  try {
    const known = saltIn(file)
    if (known !== undefined) return known
    makeFolders(dirname(file), 0o700)
    AtomicFile.create(file, randomBytes(bytes).toString("hex"), { private: true })
  } catch {
    // Another process was faster, or nothing can be written there.
  }
  return saltIn(file) ?? ofProcess
}

const saltIn = (file: string): string | undefined => {
  const text = keptFile(file).read()
  return typeof text === "string" && text.length === 2 * bytes ? text : undefined
}

const bytes = 32

const ofProcess = randomBytes(bytes).toString("hex")
