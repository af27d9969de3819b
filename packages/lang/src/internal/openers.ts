/** The brackets of arrays and objects that are open while scanning. */
import * as Kind from "../TokenKind.ts"

export class Openers {
  readonly #kinds: Array<number> = []
  #brackets = 0

  /** How many brackets are open. */
  get count(): number {
    return this.#kinds.length
  }

  /** Takes note of a token. A closing bracket closes the nearest one of its own sort; one without partner closes nothing. */
  track(kind: number): void {
    if (kind === Kind.OpenBracket || kind === Kind.OpenBrace) this.#add(kind)
    else if (kind === Kind.CloseBracket && this.#brackets > 0) this.#closeNearest(Kind.OpenBracket)
    else if (kind === Kind.CloseBrace && this.count > this.#brackets) this.#closeNearest(Kind.OpenBrace)
  }

  /** Forgets all of them. */
  clear(): void {
    this.#kinds.length = 0
    this.#brackets = 0
  }

  #add(kind: number): void {
    this.#kinds.push(kind)
    if (kind === Kind.OpenBracket) this.#brackets++
  }

  #closeNearest(kind: number): void {
    let last: number | undefined
    do {
      last = this.#kinds.pop()
      if (last === Kind.OpenBracket) this.#brackets--
    } while (last !== undefined && last !== kind)
  }
}
