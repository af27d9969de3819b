/** What each start of the command loads before Node keeps what it has compiled. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { binary } from "./process.ts"

/** A file of the bundle with those that it imports at once. */
const loadedWith = (file: string, loaded = new Set<string>()): ReadonlySet<string> => {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/(?:^|[;}])(?:import|export)[^"'()]*"(\.[^"]+)"/gm))
    loadedWith(join(dirname(file), path), loaded)
  return loaded
}

it("the command starts with less than 50 KB, and loads the rest when it is needed", () => {
  const files = [...loadedWith(binary)]
  expect(files.length).toBeGreaterThan(2)
  expect(files.reduce((sum, file) => sum + readFileSync(file).length, 0)).toBeLessThan(50_000)
})
