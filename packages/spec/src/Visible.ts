/**
 * Text from outside as it may be shown: with a mark for every character that is not seen.
 *
 * Such a character may steer a terminal, turn the direction of what follows, end a line, or join what it splits. Nothing is
 * taken out: a key that was split by a character that nobody sees would become whole again.
 *
 * Invariant: `line`, `lines` and `json` leave no character of {@link unseen} in a text, except for line feeds and tabs where they say so.
 */

/** Control characters, except for line feeds and tabs. */
const control = String.raw`\u0000-\u0008\u000B-\u001F\u007F-\u009F`

/**
 * A class of a regular expression, without its brackets and for the flag `u`: control characters without line feeds and tabs; all that
 * joins, splits, turns or tags the characters around it; separators of lines and paragraphs; halves of characters; and code
 * points that are not characters.
 */
export const unseen: string = String.raw`${control}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}`

const inLines = new RegExp(`[${unseen}]`, "gu")
const inLine = new RegExp(String.raw`[\t\n${unseen}]`, "gu")

/** One line: line breaks and tabs have a mark as well. It is as long as the text, so that places in it stay where they are. */
export const line = (text: string): string => text.replace(inLine, pictureOf)

/** A text in which lines stay lines and tabs stay tabs. It is as long as the text. */
export const lines = (text: string): string => text.replace(inLines, pictureOf)

/** JSON text of the same value. */
export const json = (text: string): string => text.replace(inLines, escapeOf)

/** One line without long gaps: line breaks and tabs become spaces, of which one is left where there are several. */
export const oneLine = (text: string): string =>
  line(text.replace(/[\t\n\r]/g, " "))
    .replace(/ {2,}/g, " ")
    .trim()

/** What stands for a character that is not seen; it is as long as the character. */
export const pictureOf = (character: string): string => {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? "\u2421" : "\ufffd".repeat(character.length)
}

const escapeOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("")
