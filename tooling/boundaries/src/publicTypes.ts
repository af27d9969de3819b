/**
 * Finds types that the entries of a package mention and none of them exports, so that an author could not write their names. Also
 * finds exports without a docstring.
 */
import { dirname, join } from "node:path"
import { isNode, type Node, nodesInside, nodesOf, programOf } from "./nodes.ts"

export interface HiddenType {
  /** The declaration file that mentions it. */
  readonly path: string
  /** What is exported and mentions it. */
  readonly name: string
  readonly hidden: string
}

/** Looks at built entries, `.d.ts` files, and at all that they export. `read` gives the text of a file. */
export const findHiddenTypes = (
  entries: ReadonlyArray<string>,
  read: (path: string) => string,
): ReadonlyArray<HiddenType> => {
  const { moduleAt, modules: seen, symbols } = publicParts(entries, read)
  const exported = new Set(symbols.map(keyOf))
  const found = new Map<string, HiddenType>()
  for (const { name, path } of symbols) {
    for (const mentioned of mentionedBy({ name, path }, moduleAt))
      if (!exported.has(keyOf(mentioned)) && !seen.has(mentioned.name === everything ? mentioned.path : ""))
        found.set(`${path} ${name} ${keyOf(mentioned)}`, { path, name, hidden: mentioned.name })
  }
  return [...found.values()]
}

/** The exports of the entries without a docstring; a value and a type of the same name need one between them. */
export const findUndocumented = (
  entries: ReadonlyArray<string>,
  read: (path: string) => string,
): ReadonlyArray<Omit<HiddenType, "hidden">> => {
  const { moduleAt, symbols } = publicParts(entries, read)
  return symbols.filter(({ name, path }) => {
    const declarations = moduleAt(path).declarations.get(name) ?? []
    return (
      declarations.length > 0 && !declarations.some(({ start }) => endsInDocstring.test(read(path).slice(0, start)))
    )
  })
}

const endsInDocstring = /\*\/\s*(?:export )?(?:declare )?(?:const |abstract )?$/

/** The exports of entries, and the modules that they export as a whole. */
const publicParts = (
  entries: ReadonlyArray<string>,
  read: (path: string) => string,
): { readonly symbols: ReadonlyArray<Symbol>; readonly modules: ReadonlySet<string>; readonly moduleAt: ModuleAt } => {
  const modules = new Map<string, Module>()
  const moduleAt = (path: string): Module => {
    const known = modules.get(path)
    if (known !== undefined) return known
    const made = moduleOf(path, read(path))
    modules.set(path, made)
    return made
  }
  const symbols = new Map<string, Symbol>()
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const symbol of exportsOf(path, moduleAt)) {
      if (symbol.name === everything) visit(symbol.path)
      else symbols.set(keyOf(symbol), symbol)
    }
  }
  for (const entry of entries) visit(entry)
  return { symbols: [...symbols.values()], modules: seen, moduleAt }
}

/** A declaration of the package. Its name is `*` for a module as a whole. */
interface Symbol {
  readonly path: string
  readonly name: string
}

const everything = "*"

const keyOf = ({ name, path }: Symbol): string => `${path}#${name}`

interface Module {
  readonly path: string
  readonly declarations: ReadonlyMap<string, ReadonlyArray<Node>>
  /** Names from other files of the package. */
  readonly imports: ReadonlyMap<string, Symbol>
  /** Names by which the module gives its own declarations, and what it has from others. */
  readonly exports: ReadonlyMap<string, Symbol>
  /** Modules that it exports everything of. */
  readonly stars: ReadonlyArray<string>
}

type ModuleAt = (path: string) => Module

const nameOf = (value: unknown): string => (isNode(value) ? String(value["name"] ?? value["value"]) : "")

/** `undefined` for a file of another package. */
const fileOf = (from: string, source: unknown): string | undefined => {
  const module = nameOf(source)
  if (!module.startsWith(".")) return undefined
  return join(dirname(from), module).replace(/\.(ts|js)$/, ".d.ts")
}

const moduleOf = (path: string, text: string): Module => {
  const declarations = new Map<string, Array<Node>>()
  const imports = new Map<string, Symbol>()
  const exports = new Map<string, Symbol>()
  const stars: Array<string> = []
  const declare = (node: Node): ReadonlyArray<string> => {
    const named = node.type === "VariableDeclaration" ? nodesOf(node["declarations"]) : [node]
    return named.map((one) => {
      const name = nameOf(one["id"])
      declarations.set(name, [...(declarations.get(name) ?? []), one])
      return name
    })
  }
  for (const node of nodesOf(programOf({ path, text })["body"])) {
    const file = fileOf(path, node["source"])
    if (node.type === "ImportDeclaration") {
      if (file === undefined) continue
      for (const specifier of nodesOf(node["specifiers"]))
        imports.set(nameOf(specifier["local"]), {
          path: file,
          name: specifier.type === "ImportNamespaceSpecifier" ? everything : nameOf(specifier["imported"]),
        })
    } else if (node.type === "ExportAllDeclaration") {
      if (file === undefined) continue
      if (isNode(node["exported"])) exports.set(nameOf(node["exported"]), { path: file, name: everything })
      else stars.push(file)
    } else if (node.type === "ExportNamedDeclaration") {
      for (const declaration of nodesOf(node["declaration"]))
        for (const name of declare(declaration)) exports.set(name, { path, name })
      for (const specifier of nodesOf(node["specifiers"])) {
        const local = nameOf(specifier["local"])
        if (node["source"] === null) exports.set(nameOf(specifier["exported"]), { path, name: local })
        else if (file !== undefined) exports.set(nameOf(specifier["exported"]), { path: file, name: local })
      }
    } else if (isNode(node["id"]) || node.type === "VariableDeclaration") declare(node)
  }
  return { path, declarations, imports, exports, stars }
}

/** Where a name that a module uses is declared; `undefined` outside the package. */
const resolve = ({ name, path }: Symbol, moduleAt: ModuleAt): Symbol | undefined => {
  if (name === everything) return { path, name }
  const module = moduleAt(path)
  if (module.declarations.has(name)) return { path, name }
  const imported = module.imports.get(name)
  return imported === undefined ? undefined : exportedAs(imported, moduleAt)
}

/** Where what a module exports by a name is declared. */
const exportedAs = ({ name, path }: Symbol, moduleAt: ModuleAt): Symbol | undefined => {
  if (name === everything) return { path, name }
  const module = moduleAt(path)
  const own = module.exports.get(name)
  if (own !== undefined) return own.path === path ? resolve(own, moduleAt) : exportedAs(own, moduleAt)
  for (const star of module.stars) {
    const found = exportedAs({ path: star, name }, moduleAt)
    if (found !== undefined) return found
  }
  return undefined
}

const exportsOf = (path: string, moduleAt: ModuleAt): ReadonlyArray<Symbol> => {
  const { exports, stars } = moduleAt(path)
  return [
    ...[...exports.keys()].flatMap((name) => exportedAs({ path, name }, moduleAt) ?? []),
    ...stars.flatMap((star) => exportsOf(star, moduleAt)),
  ]
}

/** The declarations of the package that one names. A constant that only types name, such as the base of a class, is searched. */
const mentionedBy = (symbol: Symbol, moduleAt: ModuleAt): ReadonlyArray<Symbol> => {
  const { declarations } = moduleAt(symbol.path)
  return (declarations.get(symbol.name) ?? []).flatMap((declaration) =>
    namesIn(declaration).flatMap(([first = "", ...rest]): ReadonlyArray<Symbol> => {
      const found = resolve({ path: symbol.path, name: first }, moduleAt)
      if (found === undefined || keyOf(found) === keyOf(symbol)) return []
      const target =
        rest[0] !== undefined && found.name === everything
          ? exportedAs({ path: found.path, name: rest[0] }, moduleAt)
          : found
      if (target === undefined) return []
      return isHiddenConstant(target, moduleAt) ? mentionedBy(target, moduleAt) : [target]
    }),
  )
}

const isHiddenConstant = ({ name, path }: Symbol, moduleAt: ModuleAt): boolean =>
  moduleAt(path)
    .declarations.get(name)
    ?.some((node) => node.type === "VariableDeclarator" || node.type === "TSDeclareFunction") === true &&
  !exportsOf(path, moduleAt).some((symbol) => symbol.name === name && symbol.path === path)

/** The names of types, and of values that types are taken from, each with the names after its dots. */
const namesIn = (declaration: Node): ReadonlyArray<ReadonlyArray<string>> =>
  nodesInside(declaration, (node) => node["accessibility"] === "private")
    .flatMap((node) => [named(node), dotted(node["superClass"])])
    .filter(([first]) => first !== undefined && first !== "")

const named = (node: Node): ReadonlyArray<string> => {
  if (node.type === "TSTypeReference") return dotted(node["typeName"])
  if (node.type === "TSTypeQuery") return dotted(node["exprName"])
  return node.type === "TSInterfaceHeritage" || node.type === "TSClassImplements" ? dotted(node["expression"]) : []
}

const dotted = (value: unknown): ReadonlyArray<string> => {
  if (!isNode(value)) return []
  if (value.type === "Identifier") return [nameOf(value)]
  if (value.type === "TSQualifiedName") return [...dotted(value["left"]), nameOf(value["right"])]
  if (value.type === "MemberExpression") return [...dotted(value["object"]), nameOf(value["property"])]
  return []
}
