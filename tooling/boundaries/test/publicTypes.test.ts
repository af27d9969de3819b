import { expect, it } from "vitest"
import { findHiddenTypes, findUndocumented } from "../src/publicTypes.ts"

type Files = Readonly<Record<string, string>>

const check = (what: string, files: Files, expected: ReadonlyArray<string>, entries = ["dist/index.d.ts"]) =>
  it(what, () => {
    const found = findHiddenTypes(entries, (path) => files[path.replace("dist/", "")] ?? "")
    expect(found.map(({ hidden, name }) => `${name} mentions ${hidden}`)).toEqual(expected)
  })

const size = "export interface Size { readonly bytes: number }\nexport declare const sizeOf: (text: string) => Size;"

check(
  "finds a type that a function gives",
  { "index.d.ts": 'export { sizeOf } from "./size.ts";', "size.d.ts": size },
  ["sizeOf mentions Size"],
)
check(
  "is content when the entry exports it, by another name as well",
  { "index.d.ts": 'export { sizeOf, type Size as Bytes } from "./size.ts";', "size.d.ts": size },
  [],
)
check(
  "is content with a namespace and with all of a module",
  { "index.d.ts": 'export * as Sizes from "./size.ts";\nexport * from "./size.ts";', "size.d.ts": size },
  [],
)
check(
  "follows imports through other files",
  {
    "index.d.ts": 'export { type Box } from "./box.ts";',
    "box.d.ts": 'import type { Size } from "./all.ts";\nexport interface Box { readonly size?: Size | undefined }',
    "all.d.ts": 'export * from "./size.ts";',
    "size.d.ts": size,
  },
  ["Box mentions Size"],
)
check(
  "finds what a class extends, through the constant that a compiler makes of it",
  {
    "index.d.ts": 'export { Refused } from "./refused.ts";',
    "refused.d.ts":
      'import * as Kinds from "./size.ts";\ndeclare const Refused_base: new (size: Kinds.Size) => object;\nexport declare class Refused extends Refused_base {}\nexport {};',
    "size.d.ts": size,
  },
  ["Refused mentions Size"],
)
check(
  "finds a type that is declared and not exported at all",
  { "index.d.ts": "interface Own {}\nexport interface Shown extends Own {}\nexport {};" },
  ["Shown mentions Own"],
)
check(
  "leaves types of other packages, and what is private",
  {
    "index.d.ts":
      'import type { Effect } from "effect";\ninterface Own {}\nexport declare class Shown { private own: Own; run(): Effect; }',
  },
  [],
)
check(
  "is content when another entry exports it",
  { "index.d.ts": 'export { sizeOf } from "./size.ts";', "size.d.ts": size },
  [],
  ["dist/index.d.ts", "dist/size.d.ts"],
)

const checkDocstrings = (what: string, files: Files, expected: ReadonlyArray<string>) =>
  it(what, () => {
    const found = findUndocumented(["dist/index.d.ts"], (path) => files[path.replace("dist/", "")] ?? "")
    expect(found.map(({ name }) => name)).toEqual(expected)
  })

checkDocstrings(
  "finds what has no docstring, wherever it is declared",
  {
    "index.d.ts":
      'export { sizeOf, type Size } from "./size.ts";\n/** A box. */\nexport interface Box { }\nexport type Lid = Box;',
    "size.d.ts": size,
  },
  ["sizeOf", "Size", "Lid"],
)
checkDocstrings(
  "takes one docstring for a value and a type of the same name",
  { "index.d.ts": "/** A size. */\nexport declare const Size: unknown;\nexport type Size = number;" },
  [],
)
checkDocstrings(
  "takes no comment of another kind, and none of a declaration before it",
  { "index.d.ts": "/** A size. */\nexport type Size = number; // bytes\nexport declare class Box { }" },
  ["Box"],
)
