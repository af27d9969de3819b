/** Finds imports that make a page load what it does not use. Pure: files in, violations out. */
import { parseSync } from "oxc-parser"
import type { SourceFile, Violation } from "./check.ts"
import { packagesOfPages } from "./rules.ts"

/**
 * A value of Effect comes from its module: a bundler that does not look into namespaces keeps all of an entry. Nor may a
 * module be taken apart, because then all of it is kept too.
 */
export const findWholeImports = (files: ReadonlyArray<SourceFile>): ReadonlyArray<Violation> =>
  files.flatMap(({ path, text }) => {
    if (!packagesOfPages.some((name) => path.startsWith(`packages/${name}/src/`))) return []
    const lineAt = (start: number) => text.slice(0, start).split("\n").length
    const violations: Array<Violation> = []
    const modules = new Set<string>()
    for (const node of parseSync(path, text).program.body) {
      if (node.type === "ImportDeclaration" && node.importKind !== "type") {
        const source = node.source.value
        for (const specifier of node.specifiers) {
          if (specifier.type === "ImportNamespaceSpecifier") modules.add(specifier.local.name)
          else if (specifier.type === "ImportSpecifier" && specifier.importKind !== "type" && isEntry(source))
            violations.push({
              path,
              line: lineAt(node.start),
              message: `may not import ${specifier.local.name} from "${source}": write import * as ${specifier.local.name} from "${source}/${specifier.local.name}"`,
            })
        }
      }
      if (node.type === "VariableDeclaration")
        for (const { id, init, start } of node.declarations)
          if (id.type === "ObjectPattern" && init?.type === "Identifier" && modules.has(init.name))
            violations.push({
              path,
              line: lineAt(start),
              message: `may not take ${init.name} apart: a bundler then keeps all of it; write ${init.name}.NAME where it is used`,
            })
    }
    return violations
  })

/** `effect`, and `effect/http`, but not the module `effect/Effect`. */
const isEntry = (source: string): boolean => /^effect(\/[a-z]+)?$/.test(source)
