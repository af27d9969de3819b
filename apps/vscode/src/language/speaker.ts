/** Which of the views of a file reports its problems. Pure. */

/** A tab that shows a file, as text or as a notebook. */
export interface FileView {
  readonly kind: "text" | "notebook"
  /** It is in view: no other tab of its group covers it. */
  readonly isShown: boolean
  /** Greater for one that a person turned to later; 0 for one that nobody turned to yet. */
  readonly turnedTo: number
}

/** What is in view speaks before what is covered, and of several the one turned to last; `undefined` when there is none. */
export const speakerOf = (views: ReadonlyArray<FileView>): FileView["kind"] | undefined =>
  views.toSorted((left, right) => Number(right.isShown) - Number(left.isShown) || right.turnedTo - left.turnedTo)[0]
    ?.kind
