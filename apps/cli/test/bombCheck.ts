/** Has `check` read a bomb: it ends with 0 or 2, and without a stack trace. */
import type { Bomb, FolderBomb } from "@dotrpc/bombs"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished } from "vitest"
import { temporaryFolder } from "./folders.ts"
import { spawnAt } from "./process.ts"

/** What it prints. A run that has not ended when the test does is killed. */
export const check = async (folder: string, ...args: ReadonlyArray<string>) => {
  const running = spawnAt({ cwd: folder }, "check", ...args)
  onTestFinished(running.kill)
  const { code, stderr, stdout } = await running.outcome
  expect([0, 2]).toContain(code)
  expect(stdout + stderr).not.toMatch(/^ {4}at |RangeError|Maximum call stack/m)
  return stdout
}

export const checkText = async ({ text }: Bomb): Promise<void> => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "main.rpc"), text())
  const stdout = await check(folder, "main.rpc")
  expect(stdout.split("\n").length).toBeLessThan(600)
}

export const checkFolder = async ({ make }: FolderBomb): Promise<void> => {
  const folder = temporaryFolder()
  make(folder)
  await check(folder, "main.rpc", ".")
}
