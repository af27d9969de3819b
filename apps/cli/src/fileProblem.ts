/**
 * Why a file cannot be read or written, in words after its name. The system's own messages have paths and codes
 * instead.
 */
export const fileProblem = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = "code" in error ? String(error.code) : ""
  return words[code] ?? error.message.replace(/^[A-Z\d]+: (.*?), [a-z]+(?: '.*)?$/su, "$1")
}

/** What is said where there is nothing. */
export const missing = "there is no such file or folder"

const words: Readonly<Record<string, string>> = {
  EACCES: "its permissions forbid it",
  EPERM: "its permissions forbid it",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would become too large",
  EISDIR: "it is a folder",
  ENOENT: missing,
  ENOTDIR: "a part of its path is not a folder",
  EEXIST: "there is one already",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "it is a symbolic link that leads back to itself",
  EBUSY: "another process uses it",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
}
