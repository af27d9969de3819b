/** Reads many files without keeping the extension host busy: one after the other, and others have their turn between them. */
import { pausing } from "@dotrpc/spec"

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
  const pause = pausing()
  for (const file of files.slice(0, most)) {
    await pause()
    if (isStale()) return false
    await read(file)
  }
  return files.length <= most
}
