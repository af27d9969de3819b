/** A request by its position in a document. */
export interface RequestTarget {
  /** Of the document, as text. */
  readonly uri: string
  readonly request: number
}
