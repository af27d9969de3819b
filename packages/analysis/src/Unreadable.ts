/** Why an existing file cannot be used, and the largest text that is read. */

/** A file that is there and cannot be used. The words go after the file's name: `is not a regular file`. */
export interface Unreadable {
  readonly problem: string
}

/** The text of a file; why it cannot be used; `undefined` when there is no such file. */
export type FileText = string | Unreadable | undefined

/** The text, when there is one. */
export const textOf = (file: FileText): string | undefined => (typeof file === "string" ? file : undefined)

/** The most bytes of a request file, a configuration, an ABI or a `.env` that are read: 16 MB. */
export const largestText = 16 * 1024 * 1024

/** For a file of more bytes than are read. */
export const tooLarge = (limit: number = largestText): Unreadable => ({
  problem: `is larger than ${limit / (1024 * 1024)} MB`,
})

/** For a folder in the place of a file. */
export const aFolder: Unreadable = { problem: "is a folder, not a file" }

/** For a pipe, a socket or a device in the place of a file. */
export const notRegular: Unreadable = { problem: "is not a regular file" }

/**
 * Why the way to a file may not be taken, by its names from a folder on: one that is hidden, as `.env` and `.git` are, holds keys and the
 * files of programs. A name that begins with `known` may be that of the file all the same, and the folders in which package managers keep
 * packages, as `node_modules/.pnpm`, are no such place.
 */
export const hiddenWay = (steps: ReadonlyArray<string>, known?: string): Unreadable | undefined => {
  const last = steps.length - 1
  const isHidden = steps.some(
    (step, index) =>
      step.startsWith(".") &&
      step !== "." &&
      !(index === last ? known !== undefined && step.startsWith(known) : steps[index - 1] === "node_modules"),
  )
  return isHidden
    ? { problem: "is a hidden file or in a hidden folder, which may contain keys; give it another name" }
    : undefined
}
