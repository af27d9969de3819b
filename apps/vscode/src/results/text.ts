/** Makes text that came from outside fit to be shown: on one line, without marks of its own. */

/**
 * One line in which every character is seen. A line break would end the string of a style sheet that decorations become, and
 * marks that turn the direction of writing would let a result show something else than it says. Line breaks and tabs become
 * spaces, and Markdown leaves some of those out; nothing else is taken away, as a key that was split by a character that nobody
 * sees would become whole again.
 */
export const oneLine = (text: string): string =>
  visible(text.replace(/[\t\n\r]/g, " "))
    .replace(/ {2,}/g, " ")
    .trim()

/** The same text, with a picture of every control character, and a mark for each that is not seen. */
export const visible = (text: string): string => text.replace(unseen, pictureOf)

/** As {@link visible}, of a text that may have several lines. */
export const visibleLines = (text: string): string =>
  text.replace(unseen, (character) => (/[\t\n\r]/.test(character) ? character : pictureOf(character)))

/** JSON text of the same value, in which every character is seen. */
export const visibleJson = (text: string): string =>
  text.replace(unseen, (character) => (character === "\n" ? character : escapeOf(character)))

const pictureOf = (character: string): string => {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? "\u2421" : "\ufffd".repeat(character.length)
}

const escapeOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("")

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

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu
