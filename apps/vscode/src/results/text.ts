/** Makes text that came from outside fit to be shown: short, without marks of its own. */
import { Visible } from "@dotrpc/spec"

/** At most `length` characters. */
export const excerpt = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`

/**
 * Text that Markdown shows as it is: every mark is escaped, also those that make links of bare URLs. The editor's
 * reader looks for tags and code before it looks at escapes, and so overlooks marks of emphasis between two of those.
 */
export const escapeMarkdown = (text: string): string =>
  Visible.oneLine(text).replace(/[!-/:-@[-`{-~]/g, (mark) =>
    mark === "<" || mark === "`" ? `&#${mark.charCodeAt(0)};` : `\\${mark}`,
  )
