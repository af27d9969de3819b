/** The clients of a script for viem, and the calls that are made with them. */
import type { ConvertedUrl } from "./Converted.ts"
import { bare, lineOfNode, memberName, nameOf, nodeIn, nodesIn, plainIn, type ScriptNode } from "./script.ts"
import { NotStatic, type StaticValues } from "./staticValues.ts"
import { headersAreLeft, keysOf, missingUrl, readUrl } from "./urls.ts"
import { type Action, type Client, isAction } from "./viemActions.ts"

/** The clients of a script. Each is read, and its problems are reported, once. */
export class Clients {
  readonly #values: StaticValues
  readonly #report: (line: number, message: string) => void
  readonly #keys: Set<string>
  readonly #foreign = new Set<string>()
  readonly #created = new Map<ScriptNode, Client>()

  constructor(values: StaticValues, report: (line: number, message: string) => void, keys: Set<string>) {
    this.#values = values
    this.#report = report
    this.#keys = keys
  }

  /** `client.getBlock({…})`, or `getBlock(client, {…})` of `viem/actions`. */
  actionOf(node: ScriptNode): Action | undefined {
    const callee = nodeIn(node, "callee")
    const target = callee === undefined ? undefined : bare(callee)
    const args = nodesIn(node, "arguments")
    const object = target === undefined ? undefined : nodeIn(target, "object")
    if (target?.type === "MemberExpression" && object !== undefined) {
      const name = memberName(target)
      const client = name === undefined || name === "extend" ? undefined : this.#clientOf(object)
      if (name === undefined || client === undefined) return undefined
      return client.isCreated || isAction(name) ? { name, client, args } : undefined
    }
    const binding = this.#values.bindingOf(nameOf(target) ?? "")
    if (binding?.kind !== "import") return undefined
    const [first, ...rest] = args
    if (binding.from === "viem" && binding.imported === "getContract")
      return { name: "getContract", client: { isCreated: true, url: missingUrl() }, args }
    const client = binding.from !== "viem/actions" || first === undefined ? undefined : this.#clientOf(first)
    return client === undefined ? undefined : { name: binding.imported, client, args: rest }
  }

  /** Made in this script, or by its name made elsewhere. */
  #clientOf(written: ScriptNode): Client | undefined {
    const node = bare(written)
    const name = nameOf(node) ?? memberName(node)
    const binding = node.type === "Identifier" ? this.#values.bindingOf(name ?? "") : undefined
    const creation = creationIn(binding?.kind === "const" ? binding.value : node, this.#values)
    if (creation === undefined) {
      if (name === undefined || !/client$/i.test(name)) return undefined
      return { isCreated: /^(?:public|wallet|test)?client$/i.test(name), url: this.#elsewhere(name, node) }
    }
    const known = this.#created.get(creation)
    if (known !== undefined) return known
    const client = this.#read(creation)
    this.#created.set(creation, client)
    return client
  }

  /** Where a client of another script sends its calls is reported once. */
  #elsewhere(name: string, node: ScriptNode): ConvertedUrl {
    if (!this.#foreign.has(name))
      this.#report(
        lineOfNode(node),
        `the URL of ${/^\w{1,30}$/.test(name) ? name : "a client"} is not in this script: write it as the "url" of its network in rpc.config.json`,
      )
    this.#foreign.add(name)
    return missingUrl()
  }

  #read(creation: ScriptNode): Client {
    const line = lineOfNode(creation)
    const [first] = nodesIn(creation, "arguments")
    const options = first === undefined ? undefined : bare(first)
    const chain = options === undefined ? undefined : memberOf(options, "chain")
    const named = chain === undefined ? undefined : (nameOf(bare(chain)) ?? memberName(bare(chain)))
    const network = named !== undefined && /^[A-Za-z]\w{0,30}$/.test(named) ? named : undefined
    const transport = options === undefined ? undefined : memberOf(options, "transport")
    const url = (transport === undefined ? undefined : this.#urlOf(transport, line)) ?? missingUrl(network)
    for (const problem of url.problems) this.#report(line, problem)
    // The chain is a better name for the network than the host.
    return { isCreated: true, url: { ...url, host: network ?? url.host } }
  }

  #urlOf(written: ScriptNode, line: number): ConvertedUrl | undefined {
    const found = bare(written)
    const binding = this.#values.bindingOf(nameOf(found) ?? "")
    const node = binding?.kind === "const" ? bare(binding.value) : found
    const [target, settings] = node.type === "CallExpression" ? nodesIn(node, "arguments") : []
    const kind = this.#values.importedName(nameOf(nodeIn(node, "callee")) ?? "")
    if (kind === "fallback" && target !== undefined) {
      const [main, ...others] = nodesIn(bare(target), "elements")
      if (others.length > 0) this.#report(line, "only the first transport of fallback is imported")
      const isSame = main === undefined || nameOf(nodeIn(bare(main), "callee")) === nameOf(nodeIn(node, "callee"))
      return isSame ? undefined : this.#urlOf(main, line)
    }
    if ((kind !== "http" && kind !== "webSocket") || target === undefined) return undefined
    const headers = settings === undefined ? [] : this.#headersIn(bare(settings))
    if (headers.length > 0) this.#report(line, headersAreLeft(headers.join(", ")))
    const text = this.#textOf(target)
    if (text === undefined) return undefined
    for (const key of keysOf(text)) this.#keys.add(key)
    return readUrl(text)
  }

  #textOf(node: ScriptNode): string | undefined {
    try {
      const value = this.#values.valueOf(node)
      return typeof value === "string" ? value : undefined
    } catch (error) {
      if (error instanceof NotStatic) return undefined
      throw error
    }
  }

  /** The names of headers. Their values may be keys, which a comment may repeat. */
  #headersIn(settings: ScriptNode): ReadonlyArray<string> {
    const options = memberOf(settings, "fetchOptions")
    const headers = options === undefined ? undefined : memberOf(bare(options), "headers")
    if (headers === undefined) return []
    return nodesIn(bare(headers), "properties").map((property) => {
      const key = property === undefined ? undefined : nodeIn(property, "key")
      const value = property === undefined ? undefined : nodeIn(property, "value")
      const text = value === undefined ? undefined : this.#textOf(value)
      for (const word of text?.split(/\s+/) ?? []) if (word.length >= 8) this.#keys.add(word)
      const name = nameOf(key) ?? (key === undefined ? undefined : plainIn(key, "value"))
      return typeof name === "string" && /^[\w-]{1,40}$/.test(name) ? name : "one that has no name"
    })
  }
}

/** The call that makes a client, before what extends it. */
const creationIn = (written: ScriptNode, values: StaticValues): ScriptNode | undefined => {
  let node = bare(written)
  while (node.type === "CallExpression") {
    const callee = nodeIn(node, "callee")
    if (callee === undefined) return undefined
    const name = values.importedName(nameOf(callee) ?? "")
    if (/^create(?:Public|Wallet|Test)?Client$/.test(name ?? "")) return node
    const object = memberName(callee) === "extend" ? nodeIn(callee, "object") : undefined
    if (object === undefined) return undefined
    node = bare(object)
  }
  return undefined
}

/** A member of an object in the script. */
const memberOf = (object: ScriptNode, name: string): ScriptNode | undefined => {
  const found = nodesIn(object, "properties").find((property) => {
    const key = property === undefined ? undefined : nodeIn(property, "key")
    return key !== undefined && (nameOf(key) ?? plainIn(key, "value")) === name
  })
  return found === undefined ? undefined : nodeIn(found, "value")
}
