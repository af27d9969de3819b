/** Makes text that came from outside fit to be shown: on one line, without marks of its own. */

/**
 * One line without control characters. A line break would end the string of a style sheet that decorations become, and
 * marks that turn the direction of writing would let a result show something else than it says.
 */
export const oneLine = (text: string): string => text.replace(unseen, " ").replace(/ {2,}/g, " ").trim()

/** At most `length` characters. */
export const excerpt = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`

/**
 * Text that Markdown shows as it is: every mark is escaped, also those that make links of bare addresses. The editor's
 * reader looks for tags and code before it looks at escapes, and so overlooks marks of emphasis between two of those.
 */
export const escapeMarkdown = (text: string): string =>
  oneLine(text).replace(/[!-/:-@[-`{-~]/g, (mark) =>
    mark === "<" || mark === "`" ? `&#${mark.charCodeAt(0)};` : `\\${mark}`,
  )

// oxlint-disable-next-line no-control-regex -- These are the characters to remove.
const unseen = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
