/** Reads many files without keeping the extension host busy: one after the other, and others have their turn between them. */

export interface ReadInTurnsOptions {
  /** The most files that are read. */
  readonly most: number
  /** Ends the work before the next file. */
  readonly isStale?: (() => boolean) | undefined
}

/** Whether every file was read. */
export const readInTurns = async <File>(
  files: ReadonlyArray<File>,
  read: (file: File) => Promise<void>,
  { isStale = () => false, most }: ReadInTurnsOptions,
): Promise<boolean> => {
  let end = performance.now() + sliceMillis
  for (const file of files.slice(0, most)) {
    if (isStale()) return false
    await read(file)
    // What is known already comes at once.
    if (performance.now() < end) continue
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
    end = performance.now() + sliceMillis
  }
  return files.length <= most
}

const sliceMillis = 10
