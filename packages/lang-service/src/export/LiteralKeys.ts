/**
 * Names for keys that a configuration has as text.
 *
 * Invariant: what a name stands for is sent to one host: no name is given to two keys, to a key of two hosts, or to anything that has
 * another meaning in the project.
 */
import { keyNameOf } from "@dotrpc/analysis"

export class LiteralKeys {
  readonly #names = new Map<string, string>()
  readonly #taken: Set<string>
  /** The next number for a name that has been given. */
  readonly #numbers = new Map<string, number>()

  /** @param taken names that the project uses already */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  /** The name of a key, such as `MAIN_KEY` for the network `main`: the same for the same key of the same host. */
  nameOf(key: string, network: string, host: string): string {
    const id = JSON.stringify([host, key])
    const known = this.#names.get(id)
    if (known !== undefined) return known
    const base = keyNameOf([network])
    let number = this.#numbers.get(base) ?? 1
    const numbered = () => (number === 1 ? base : `${base}_${number}`)
    while (this.#taken.has(numbered())) number++
    const name = numbered()
    this.#numbers.set(base, number + 1)
    this.#taken.add(name)
    this.#names.set(id, name)
    return name
  }
}

/** The names of secrets and variables that texts mention, wherever they do. */
export const mentionedNames = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => [...text.matchAll(/\$(?:secret|env)\.(\w+)/g)].map(([, name = ""]) => name))
