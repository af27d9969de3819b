/**
 * The parts of a file. A section knows its range and is parsed when its content is first read; the prelude is parsed at once.
 *
 * Invariant: what a part says does not depend on when it is read, nor on the text around it.
 * Limit: a section that has been read keeps the whole text alive from which it was parsed.
 */
import type { Diagnostic } from "../Diagnostic.ts"
import type { PreludeNode, SectionNode, Span } from "../Syntax.ts"
import type { TokenList } from "../Token.ts"
import { parsePrelude, parseSection } from "./sections.ts"

/** A node, and what is wrong in it in the order in which it was found. */
export interface Parsed<Node> {
  readonly node: Node
  readonly findings: ReadonlyArray<Diagnostic>
}

/** Parses the prelude. */
export function readPrelude(tokens: TokenList): Parsed<PreludeNode> {
  const findings: Array<Diagnostic> = []
  return { node: parsePrelude(tokens, findings), findings }
}

export class LazySection implements SectionNode {
  readonly kind = "Section"
  readonly start: number
  readonly end: number
  #tokens: TokenList
  #index: number
  #content: SectionNode | undefined
  #findings: ReadonlyArray<Diagnostic> | undefined

  /** The section whose tokens begin at `index`. `findings` are given when they are known without parsing. */
  constructor(tokens: TokenList, index: number, { start, end }: Span, findings?: ReadonlyArray<Diagnostic>) {
    this.start = start
    this.end = end
    this.#tokens = tokens
    this.#index = index
    this.#findings = findings
  }

  get header(): SectionNode["header"] {
    return this.#node.header
  }

  get title(): SectionNode["title"] {
    return this.#node.title
  }

  get directives(): SectionNode["directives"] {
    return this.#node.directives
  }

  get variables(): SectionNode["variables"] {
    return this.#node.variables
  }

  get call(): SectionNode["call"] {
    return this.#node.call
  }

  get checks(): SectionNode["checks"] {
    return this.#node.checks
  }

  /** What is wrong in this section, in the order in which it was found. */
  get findings(): ReadonlyArray<Diagnostic> {
    return this.#findings ?? this.#parse().findings
  }

  /** The same section in another text: its tokens begin at `index`, and it stands `delta` characters further on. */
  movedTo(tokens: TokenList, index: number, delta: number): LazySection {
    const span = moveSpan(this, delta)
    return new LazySection(
      tokens,
      index,
      span,
      this.#findings?.map((finding) => moveFinding(finding, delta)),
    )
  }

  /** Takes its tokens, which must be the same, from another list from now on, so that the old list can be forgotten. */
  readFrom(tokens: TokenList, index: number): void {
    this.#tokens = tokens
    this.#index = index
  }

  /** The index of its first token. */
  get index(): number {
    return this.#index
  }

  get #node(): SectionNode {
    return this.#content ?? this.#parse().node
  }

  #parse(): Parsed<SectionNode> {
    const findings: Array<Diagnostic> = []
    const node = parseSection(this.#tokens, this.#index, findings)
    this.#content = node
    this.#findings ??= findings
    return { node, findings }
  }
}

function moveFinding(finding: Diagnostic, delta: number): Diagnostic {
  const moved = { ...finding, ...moveSpan(finding, delta) }
  if (finding.fix === undefined) return moved
  const edits = finding.fix.edits.map((edit) => ({ ...edit, ...moveSpan(edit, delta) }))
  return { ...moved, fix: { ...finding.fix, edits } }
}

function moveSpan({ start, end }: Span, delta: number): Span {
  return { start: start + delta, end: end + delta }
}
