/** A reader of the folder, who believes the manifest and looks at it all the time. */
import { Json } from "@dotrpc/spec"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Chain, Range } from "./chain.ts"

export class Reader {
  /** The first thing that was wrong. */
  problem: string | undefined
  readonly #seen = new Set<string>()
  #manifest = ""

  readonly folder: string
  readonly chain: Chain

  constructor(folder: string, chain: Chain) {
    this.folder = folder
    this.chain = chain
  }

  look(): void {
    this.problem ??= this.#look()
  }

  /** The blocks of the parts in the manifest, and whether it says that nothing is missing. */
  get manifest(): { readonly state: string; readonly parts: ReadonlyArray<Range & { readonly name: string }> } {
    const manifest = Json.parse(readFileSync(join(this.folder, "_manifest.json"), "utf8"))
    if (!Json.isObject(manifest) || !Json.isArray(manifest.parts)) throw new Error("It is not a manifest.")
    const parts = manifest.parts.filter(Json.isObject).map((part) => ({
      name: String(part.file),
      from: Number(part.from),
      to: Number(part.to),
      rows: Number(part.rows),
      bytes: Number(part.bytes),
    }))
    return { state: String(manifest.state), parts }
  }

  #look(): string | undefined {
    const path = join(this.folder, "_manifest.json")
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return this.#manifest === "" ? undefined : "the manifest is gone"
    this.#manifest = `${found.ino}`
    let next = 0
    for (const { from, name, to } of this.manifest.parts) {
      if (from < next) return `${name} begins before the part before it ends`
      next = to + 1
      const part = statSync(join(this.folder, name), { throwIfNoEntry: false })
      if (part === undefined) return `${name} is listed and not there`
      const key = `${name} ${part.ino} ${part.size} ${part.mtimeMs}`
      if (this.#seen.has(key)) continue
      if (readFileSync(join(this.folder, name), "utf8") !== this.chain.lines({ from, to }))
        return `${name} does not have the logs of its blocks`
      this.#seen.add(key)
    }
    return undefined
  }

  /** What is wrong with a folder whose backfill is done. */
  get atTheEnd(): ReadonlyArray<string> {
    const { parts, state } = this.manifest
    const rows = parts.map(({ name }) => readFileSync(join(this.folder, name), "utf8")).join("")
    const expected = this.chain.lines({ from: 0, to: this.chain.head })
    const names = readdirSync(this.folder).toSorted()
    const listed = [".backfill", ...parts.map(({ name }) => name), "_manifest.json"].toSorted()
    const spools = readdirSync(join(this.folder, ".backfill")).filter((name) => name.endsWith(".spool"))
    return [
      ...(state === "done" ? [] : [`the manifest says ${state}`]),
      ...(rows === expected ? [] : ["the parts do not have each log once and in order"]),
      ...(names.join() === listed.join() ? [] : [`the folder has ${names.join(", ")}`]),
      ...(spools.length === 0 ? [] : [`there are spools: ${spools.join(", ")}`]),
    ]
  }
}
