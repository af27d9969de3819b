/** The test that an app has of its notices: THIRD_PARTY_NOTICES, as it was built, names each package of its bundles, and no other. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

/** `folder` is the app's, `bundle` bundles it again and names the modules. Finds the packages in its own way, and not as the notices were made. */
export const testNotices = (bundle: () => Promise<ReadonlyArray<string>>, folder: string): void =>
  it("THIRD_PARTY_NOTICES lists what the bundler says is in the bundles, and the package ships it", async () => {
    const bundled = new Set<string>()
    for (const path of await bundle()) {
      const name = path
        .split("node_modules/")
        .at(-1)
        ?.match(/^(@[^/]+\/)?[^/]+/)?.[0]
      if (path.includes("node_modules/") && name !== undefined) bundled.add(name)
    }
    expect(bundled.size).toBeGreaterThan(0)
    const text = readFileSync(join(folder, "dist/THIRD_PARTY_NOTICES"), "utf8")
    const entries = text.split(/^-{80}$/m).slice(1)
    const names = entries.map((entry) => /^\n+(\S+) \d\S* \(.+\)\n/.exec(entry)?.[1])
    expect(new Set(names)).toEqual(bundled)
    for (const entry of entries) expect(entry).toMatch(/copyright|permission|warrant/i)
    const { files } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { files: ReadonlyArray<string> }
    expect(files.some((file) => file === "dist" || file === "dist/THIRD_PARTY_NOTICES")).toBe(true)
  }, 60_000)
