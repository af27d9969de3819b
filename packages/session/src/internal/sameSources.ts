import type { Sources } from "@dotrpc/analysis"

/** Whether a document leads to the same files, in the same state. */
export const isSameSources = (left: Sources, right: Sources): boolean =>
  left.files.size === right.files.size &&
  left.texts.size === right.texts.size &&
  (left.missing?.size ?? 0) === (right.missing?.size ?? 0) &&
  [...(right.missing ?? [])].every((uri) => left.missing?.has(uri)) &&
  (left.unreadable?.size ?? 0) === (right.unreadable?.size ?? 0) &&
  [...(right.unreadable ?? [])].every(([uri, { problem }]) => left.unreadable?.get(uri)?.problem === problem) &&
  [...right.files].every(([uri, file]) => left.files.get(uri) === file) &&
  [...right.texts].every(([uri, text]) => left.texts.get(uri) === text)
