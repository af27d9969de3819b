/** What a program that imports a published package finds wrong with its types. */
import { expect, it } from "vitest"
import { findWrongTypes } from "../src/resolution.ts"

const manifest = (entry: Readonly<Record<string, string>>) =>
  JSON.stringify({ name: "p", version: "1.0.0", type: "module", exports: { ".": entry } })
const sound = { types: "./dist/index.d.ts", default: "./dist/index.js" }

const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, ReadonlyArray<string>]> = [
  [
    "nothing is wrong with a module and its types",
    {
      "package.json": manifest(sound),
      "dist/index.js": "export const a = 1",
      "dist/index.d.ts": "export declare const a: number",
    },
    [],
  ],
  [
    "an entry whose types are not published",
    {
      "package.json": manifest({ default: "./dist/index.js" }),
      "dist/index.js": "export const a = 1",
      "types/index.d.ts": "export declare const a: number",
    },
    ["p: No types (node16-esm)", "p: No types (bundler)"],
  ],
  [
    "types that import a file that is not published",
    {
      "package.json": manifest(sound),
      "dist/index.js": "export const a = 1",
      "dist/index.d.ts": 'export * from "./gone.js"',
    },
    [
      'p/dist/index.d.ts: cannot resolve "./gone.js" (node16-esm)',
      'p/dist/index.d.ts: cannot resolve "./gone.js" (bundler)',
    ],
  ],
  [
    "a default export that the program does not have as such",
    {
      "package.json": manifest({ types: "./dist/index.d.ts", default: "./dist/index.cjs" }),
      "dist/index.cjs": "module.exports = 1",
      "dist/index.d.ts": "export default 1",
    },
    ["p/dist/index.d.ts: Masquerading as ESM (node16-esm)", "p/dist/index.d.ts: Incorrect default export (bundler)"],
  ],
  [
    "no types at all",
    { "package.json": manifest({ default: "./dist/index.js" }), "dist/index.js": "export const a = 1" },
    ["p publishes no types"],
  ],
]
for (const [title, files, expected] of cases)
  it(title, async () => expect(await findWrongTypes("p", "1.0.0", files)).toEqual(expected))
