/** How long a text may be that is analysed here. A longer one is edited and saved as any other, and nothing else is said of it. */
import type { Unreadable } from "@dotrpc/analysis"
import { mostCharacters } from "@dotrpc/language-server"

export const isTooLong = (text: string): boolean => text.length > mostCharacters

const limit = `${mostCharacters.toLocaleString("en")} characters`

/** For a file that is imported, after its name. */
export const tooLongToImport: Unreadable = { problem: `is longer than ${limit}, the most that the editor analyses` }

/** On the first line of the file. */
export const tooLongTitle = `Longer than ${limit}: no prices are shown here`

/** For a command that needs to know what is in the file. */
export const tooLongAdvice = `This file is longer than ${limit}, the most that the editor analyses: divide it, or use "dotrpc run" in a terminal.`

/** Throws the advice. */
export const refuseTooLong = (text: string): void => {
  if (isTooLong(text)) throw new Error(tooLongAdvice)
}
