/** Text from outside on a line of its own: what breaks lines would make another of it. */
import { pictureOf, steering } from "./border.ts"

/** One line in which nothing steers a terminal: such characters stand as their pictures, one for each. */
export const visible = (text: string): string => text.replace(/[\n\t]/g, pictureOf).replace(steering, pictureOf)
