/** The brackets of arrays and objects that are open while scanning. */
import * as Kind from "../TokenKind.ts"

export class Openers {
  readonly #kinds: Array<number> = []
  #brackets = 0
  #braces = 0

  /** How many brackets are open. */
  get count(): number {
    return this.#kinds.length
  }

  /** Takes note of a token. A closing bracket closes the nearest one of its own sort; one without partner closes nothing. */
  track(kind: number): void {
    if (kind < Kind.OpenBracket || kind > Kind.CloseBrace) return
    if (kind === Kind.OpenBracket) {
      this.#brackets++
      this.#kinds.push(kind)
    } else if (kind === Kind.OpenBrace) {
      this.#braces++
      this.#kinds.push(kind)
    } else if (kind === Kind.CloseBracket && this.#brackets > 0) this.#closeNearest(Kind.OpenBracket)
    else if (kind === Kind.CloseBrace && this.#braces > 0) this.#closeNearest(Kind.OpenBrace)
  }

  /** Forgets all of them. */
  clear(): void {
    this.#kinds.length = 0
    this.#brackets = 0
    this.#braces = 0
  }

  #closeNearest(kind: number): void {
    for (let last = this.#kinds.pop(); last !== undefined; last = this.#kinds.pop()) {
      if (last === Kind.OpenBracket) this.#brackets--
      else this.#braces--
      if (last === kind) return
    }
  }
}
