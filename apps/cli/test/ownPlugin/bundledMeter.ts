/** The plugin of `meter.ts` with copies of everything it needs inside it, as a build tool makes it. */
import { build } from "esbuild"
import { join } from "node:path"

export const meterSource = join(import.meta.dirname, "meter.ts")

export const bundledMeter = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [meterSource],
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module"],
    write: false,
  })
  return outputFiles[0]?.text ?? ""
}
