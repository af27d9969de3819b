/** Readers of columns do not distinguish names by their case. */
export const distinctName = (taken: Set<string>, name: string): string => {
  let distinct = name
  for (let count = 2; taken.has(distinct.toLowerCase()); count++) distinct = `${name}_${count}`
  taken.add(distinct.toLowerCase())
  return distinct
}
