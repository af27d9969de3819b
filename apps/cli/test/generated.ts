/** Packages that a command has written: given their dependencies as a package manager would, built, tested and run. */
import { mkdirSync, realpathSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { expect } from "vitest"
import { type Outcome, startAt } from "./dotrpc.ts"
import { node } from "./process.ts"

const require = createRequire(import.meta.url)

/** Where the packages are that a generated one depends on, or that a guide has its reader install. */
const manifests = {
  "@dotrpc/spec": require.resolve("@dotrpc/spec/package.json"),
  "@dotrpc/plugin-kit": require.resolve("@dotrpc/plugin-kit/package.json"),
  "@dotrpc/core": require.resolve("@dotrpc/core/package.json"),
  "@dotrpc/project": require.resolve("@dotrpc/project/package.json"),
  effect: require.resolve("effect/package.json"),
  typescript: require.resolve("typescript/package.json"),
  vitest: require.resolve("vitest/package.json"),
}

/** Links what a generated package depends on into a folder's `node_modules`. */
export const linkDependencies = (folder: string): void =>
  linkPackages(folder, ["@dotrpc/spec", "@dotrpc/plugin-kit", "effect", "typescript", "vitest"])

/** Links built packages of this workspace into a folder's `node_modules`. */
export const linkPackages = (folder: string, names: ReadonlyArray<keyof typeof manifests>): void => {
  mkdirSync(join(folder, "node_modules/@dotrpc"), { recursive: true })
  for (const name of names) symlinkSync(realpathSync(dirname(manifests[name])), join(folder, "node_modules", name))
}

const bin = (name: "typescript" | "vitest", file: string): string => join(dirname(manifests[name]), file)

const succeeds = (what: string, { code, stderr, stdout }: Outcome): string => {
  expect(code, `${what} of the generated package:\n${stdout}${stderr}`).toBe(0)
  return stdout + stderr
}

/** What `npm run build` does. */
export const build = async (folder: string): Promise<string> =>
  succeeds("the build", await node(folder, bin("typescript", "bin/tsc"), "-p", "tsconfig.build.json"))

/** What `npm run check && npm run build && npm test` do. Gives what the tests printed. */
export const checkBuildAndTest = async (folder: string): Promise<string> => {
  succeeds("the type check", await node(folder, bin("typescript", "bin/tsc"), "-p", "tsconfig.json"))
  await build(folder)
  return succeeds("the test run", await node(folder, bin("vitest", "vitest.mjs"), "run", "--reporter=verbose"))
}

/** What `dotrpc` does in the folder. */
export const dotrpcIn = (folder: string, ...args: ReadonlyArray<string>): Promise<Outcome> =>
  startAt({ cwd: folder }, ...args).outcome
