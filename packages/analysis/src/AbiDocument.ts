/** A file that an `# @abi` leads to. */
export interface AbiDocument {
  readonly uri: string
  readonly text: string
  /** Why the file that is there is not used, after its name; then it has no text. */
  readonly problem?: string | undefined
}

/** What is wrong in such a file. Line and character count from 0, the latter in UTF-16 units. */
export interface AbiFileProblem {
  readonly uri: string
  readonly line: number
  readonly character: number
  readonly message: string
}
