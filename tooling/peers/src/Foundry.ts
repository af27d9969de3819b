/** Foundry's programs, from the binaries in the npm packages of this platform. */
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

/** The path of a program. The launcher that the package puts on the PATH would stand between this process and the program's. */
export const foundryBinary = (program: keyof typeof packages): string => {
  const architecture = process.arch === "x64" ? "amd64" : process.arch
  const file = process.platform === "win32" ? `${program}.exe` : program
  const binary = `@foundry-rs/${program}-${process.platform}-${architecture}/bin/${file}`
  return createRequire(packages[program]).resolve(binary)
}

const packages = {
  anvil: require.resolve("@foundry-rs/anvil/package.json"),
  cast: require.resolve("@foundry-rs/cast/package.json"),
  forge: require.resolve("@foundry-rs/forge/package.json"),
}
