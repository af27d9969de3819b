/** What is worth saying of something that is looked at again and again: a trouble once, and once that it is over. */

/** @returns what to say of a look that met with `trouble`, or with none */
export const makeNews = (over: string): ((trouble: string | undefined) => string | undefined) => {
  let known: string | undefined
  return (trouble) => {
    if (trouble === known) return undefined
    known = trouble
    return trouble ?? over
  }
}
