import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { processLaws } from "./processes.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-shared-"))
afterAll(() => rmSync(folder, { recursive: true }))

processLaws("a SQLite file", (name) => join(folder, `${name}.sqlite`))
