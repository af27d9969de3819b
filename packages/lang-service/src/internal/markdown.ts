/**
 * Text that Markdown shows as it is. What comes from a file, a configuration or a server passes through here before it
 * becomes a part of a hover, so that it makes no link, image, tag or code of its own.
 */
import { Visible } from "@dotrpc/spec"

/**
 * One line in which nothing is a mark of Markdown. Only what can be one is escaped, because some editors show the source.
 * `<` and the backtick become entities: VS Code looks for tags and code before it looks at escapes.
 */
export const escapeMarkdown = (text: string): string =>
  Visible.oneLine(text)
    .replace(/[\\*[\]>&|~!^]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (mark) => `\\${mark}`)
    .replace(/[<`]/g, (mark) => `&#${mark.charCodeAt(0)};`)
    // A bare address would become a link.
    .replaceAll("://", ":\\/\\/")
    .replace(/\b(www)\./gi, "$1\\.")
    .replaceAll("@", "\\@")
    // At its beginning a line may be a heading, an item of a list or a rule.
    .replace(/^([-+#=])/, "\\$1")
    .replace(/^(\d+)([.)])/, "$1\\$2")

/** The text as code, whatever backticks it has. */
export const codeSpan = (text: string): string => {
  const line = Visible.oneLine(text)
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return line === "" ? "" : longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}
