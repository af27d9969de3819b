/** The files that make a folder a package, whatever the plugin in it: manifest and TypeScript settings. */
import type { PluginName } from "./PluginName.ts"
import { nodeRange, versions } from "./versions.ts"

/** Paths, relative to the folder, with their texts. */
export type Files = Readonly<Record<string, string>>

/** `local`: the packages of dotrpc come from the surrounding workspace instead of a registry. */
export const packageFiles = (name: PluginName, description: string, local: boolean): Files => ({
  "package.json": json(manifest(name, description, local)),
  "tsconfig.json": json({
    compilerOptions: {
      target: "es2023",
      lib: ["es2023", "dom"],
      module: "nodenext",
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ["src", "test"],
  }),
  "tsconfig.build.json": json({
    extends: "./tsconfig.json",
    compilerOptions: {
      noEmit: false,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      declaration: true,
      rootDir: "src",
      outDir: "dist",
    },
    include: ["src"],
  }),
  ".gitignore": "node_modules\ndist\n.env\n",
})

/** Indented, with lists of strings on one line, as formatters write them. */
export const json = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replace(/\[\s+("[^"\n]*"(?:,\s+"[^"\n]*")*)\s+\]/g, (_, items: string) => `[${items.replace(/,\s+/g, ", ")}]`)}\n`

const manifest = (name: PluginName, description: string, local: boolean) => {
  const range = (dependency: keyof typeof versions) =>
    local && dependency.startsWith("@dotrpc/") ? "workspace:*" : versions[dependency]
  const ranges = (...dependencies: ReadonlyArray<keyof typeof versions>) =>
    Object.fromEntries(dependencies.map((dependency) => [dependency, range(dependency)]))
  return {
    name: name.packageName,
    version: "0.1.0",
    description,
    files: ["dist", "README.md"],
    type: "module",
    sideEffects: false,
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./package.json": "./package.json" },
    scripts: {
      build: "tsc -p tsconfig.build.json",
      check: "tsc -p tsconfig.json",
      test: "vitest run",
      start: "tsc -p tsconfig.build.json && dotrpc run example.rpc --trust",
    },
    dependencies: ranges("@dotrpc/spec"),
    devDependencies: {
      // In its own workspace the command has another name: the extension is called dotrpc there.
      ...(local ? { "@dotrpc/cli": "workspace:*" } : {}),
      ...ranges("@dotrpc/plugin-kit", ...(local ? [] : (["dotrpc"] as const)), "effect", "typescript", "vitest"),
    },
    // A program has one copy, whatever its plugins were built with.
    peerDependencies: { effect: `^${versions.effect}` },
    engines: { node: nodeRange },
  }
}
