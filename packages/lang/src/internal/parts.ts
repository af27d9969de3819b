/**
 * The parts of a file. A section knows its range and is parsed when its content is first read; the prelude is parsed at once.
 *
 * Invariant: what a part says does not depend on when it is read, nor on the text around it.
 * Limit: a section that has been read keeps the whole text alive from which it was parsed.
 */
import type { Diagnostic } from "../Diagnostic.ts"
import type { PreludeNode, SectionNode, Span } from "../Syntax.ts"
import type { TokenList } from "../Token.ts"
import { span } from "./cursor.ts"
import { parseSection } from "./sections.ts"
import type { Parsed } from "./sections.ts"

/** A prelude and the sections behind it. */
export interface Parts {
  readonly prelude: Parsed<PreludeNode>
  readonly sections: ReadonlyArray<LazySection>
}

export class LazySection implements SectionNode {
  readonly kind = "Section"
  readonly start: number
  readonly end: number
  #tokens: TokenList
  #index: number
  #parsed: Parsed<SectionNode> | undefined
  readonly #findings: ReadonlyArray<Diagnostic> | undefined

  /** The section whose tokens begin at `index`. `findings` are given when they are known without parsing. */
  constructor(tokens: TokenList, index: number, { start, end }: Span, findings?: ReadonlyArray<Diagnostic>) {
    this.start = start
    this.end = end
    this.#tokens = tokens
    this.#index = index
    this.#findings = findings
  }

  get header(): SectionNode["header"] {
    return this.#read.node.header
  }

  get title(): SectionNode["title"] {
    return this.#read.node.title
  }

  get directives(): SectionNode["directives"] {
    return this.#read.node.directives
  }

  get variables(): SectionNode["variables"] {
    return this.#read.node.variables
  }

  get call(): SectionNode["call"] {
    return this.#read.node.call
  }

  get checks(): SectionNode["checks"] {
    return this.#read.node.checks
  }

  /** What is wrong in this section, in the order in which it was found. */
  get findings(): ReadonlyArray<Diagnostic> {
    return this.#findings ?? this.#read.findings
  }

  /**
   * The same section in another text, where it stands `delta` characters and `added` tokens further on. One that need not move
   * stays what it is, and only takes its tokens from the new list, so that the old one can be forgotten.
   */
  movedBy(delta: number, added: number, tokens: TokenList): LazySection {
    const index = this.#index + added
    if (delta !== 0) {
      const findings = this.#findings ?? this.#parsed?.findings
      const moved = findings?.map((finding) => moveFinding(finding, delta))
      return new LazySection(tokens, index, span(this.start + delta, this.end + delta), moved)
    }
    this.#tokens = tokens
    this.#index = index
    return this
  }

  get #read(): Parsed<SectionNode> {
    this.#parsed ??= parseSection(this.#tokens, this.#index)
    return this.#parsed
  }
}

function moveFinding(finding: Diagnostic, delta: number): Diagnostic {
  const { fix } = finding
  const moved = move(finding, delta)
  return fix === undefined ? moved : { ...moved, fix: { ...fix, edits: fix.edits.map((edit) => move(edit, delta)) } }
}

function move<Place extends Span>(place: Place, delta: number): Place {
  return { ...place, start: place.start + delta, end: place.end + delta }
}
