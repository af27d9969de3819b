/**
 * Text from outside as a terminal may show it. A server, or a file, could otherwise move the cursor, rename the window or
 * hide what was printed.
 */

/** One line in which nothing steers a terminal: control characters stand as their pictures, one for one. */
export const visible = (text: string): string =>
  text.replace(/\r\n|[\r\n]/g, " ").replace(steering, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? "\u2421" : "\uFFFD"
  })

/** C0 without line breaks, DEL and C1; marks that turn the direction of what follows. */
// oxlint-disable-next-line no-control-regex -- These are what is looked for.
const steering = /[\u0000-\u0009\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g
