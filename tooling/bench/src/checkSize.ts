/** `pnpm test`: ends with 1 when the language, or a program with the runtime, is heavier in a bundle than promised. */
import { bundles, sizeOf } from "./size.ts"
import { bundlers, programs, weightOf } from "./weight.ts"

const check = (what: string, size: number, limit: number | undefined): void => {
  process.stdout.write(`${what}: ${size} bytes${limit === undefined ? "" : ` of ${limit}`}\n`)
  if (limit === undefined || size <= limit) return
  process.stderr.write(`${what} takes ${size} bytes after gzip; make it at most ${limit}\n`)
  process.exitCode = 1
}

for (const bundle of bundles) check(bundle.name, await sizeOf(bundle), bundle.limit)
for (const { file, limits, name } of programs)
  for (const bundler of bundlers) check(`${name}, with ${bundler}`, await weightOf(file, bundler), limits[bundler])
