/** The test that an app has of its notices: THIRD_PARTY_NOTICES, as it was built, names each package of its bundles, and no other. */
import { build, type BuildOptions } from "esbuild"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { withoutStateManager } from "./withoutStateManager.ts"

/** `folder` is the app's. Finds the packages in its own way, and not as the notices were made. */
export const testNotices = (bundles: ReadonlyArray<BuildOptions>, folder: string): void =>
  it("THIRD_PARTY_NOTICES lists what esbuild says is in the bundles, and the package ships it", async () => {
    const built = await Promise.all(
      bundles.map((bundle) =>
        build({
          ...bundle,
          plugins: [...(bundle.plugins ?? []), withoutStateManager],
          write: false,
          metafile: true as const,
        }),
      ),
    )
    const bundled = new Set<string>()
    for (const { metafile } of built)
      for (const output of Object.values(metafile.outputs))
        for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
          const name = path
            .split("node_modules/")
            .at(-1)
            ?.match(/^(@[^/]+\/)?[^/]+/)?.[0]
          if (path.includes("node_modules/") && bytesInOutput > 0 && name !== undefined) bundled.add(name)
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
