/** A file that an `# @abi` leads to. */
export interface AbiDocument {
  readonly uri: string
  readonly text: string
  /** Why the file that is there is not used, after its name; then it has no text. */
  readonly problem?: string | undefined
}
