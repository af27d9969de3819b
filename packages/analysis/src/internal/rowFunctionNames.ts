/** The names of the functions that are about all rows of a request. */
export const isRowFunction = (name: string): boolean => names.has(name)

const names: ReadonlySet<string> = new Set(["every", "some", "count", "sum"])
