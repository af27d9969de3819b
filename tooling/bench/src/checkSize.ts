/** `pnpm test`: ends with 1 when a bundle with the language is heavier than promised. */
import { bundles, sizeOf } from "./size.ts"

for (const bundle of bundles) {
  const size = await sizeOf(bundle)
  process.stdout.write(`${bundle.name}: ${size} bytes of ${bundle.limit}\n`)
  if (size <= bundle.limit) continue
  process.stderr.write(`${bundle.name} takes ${size} bytes after gzip; make it at most ${bundle.limit}\n`)
  process.exitCode = 1
}
