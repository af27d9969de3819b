/** The brackets of arrays and objects that are open while scanning. */
import * as Kind from "../TokenKind.ts"

export class Openers {
  /** How many brackets are open. */
  count = 0
  /** Of each open bracket of a sort, how many were open before it. */
  readonly #arrays: Array<number> = []
  readonly #objects: Array<number> = []

  /** Takes note of a token. A closing bracket closes the nearest one of its own sort; one without partner closes nothing. */
  track(kind: number): void {
    if (kind === Kind.OpenBracket) this.#arrays.push(this.count++)
    else if (kind === Kind.OpenBrace) this.#objects.push(this.count++)
    else if (kind === Kind.CloseBracket) this.#close(this.#arrays, this.#objects)
    else if (kind === Kind.CloseBrace) this.#close(this.#objects, this.#arrays)
  }

  /** Forgets all of them. */
  clear(): void {
    this.count = 0
    this.#arrays.length = 0
    this.#objects.length = 0
  }

  /** Closes the last bracket of a sort, and those of the other sort that were opened in it. */
  #close(own: Array<number>, others: Array<number>): void {
    this.count = own.pop() ?? this.count
    while ((others.at(-1) ?? 0) > this.count) others.pop()
  }
}
