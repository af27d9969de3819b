/** Which columns of a table a person wants to see, and in which order. It is remembered for each request of a workspace. */

export interface ColumnChoice {
  /** Columns in the order that they are shown in; others follow. */
  readonly order: ReadonlyArray<string>
  readonly hidden: ReadonlyArray<string>
}

/** Choices by request. */
export type ColumnChoices = Readonly<Record<string, ColumnChoice>>

/** Choices that were made in a page, or that a page is to know. */
export interface ColumnsMessage {
  readonly kind: "columns"
  readonly choices: ColumnChoices
}

/** The request of a result, for as long as its label and its method stay. */
export const requestKey = ({ label, method }: { readonly label: string; readonly method: string }): string =>
  `${method} ${label}`

/** The indexes of the columns that are shown, in their order. One always is. */
export const chosenColumns = (keys: ReadonlyArray<string>, choice: ColumnChoice | undefined): ReadonlyArray<number> => {
  const all = keys.map((_, index) => index)
  if (choice === undefined) return all
  const rank = new Map(choice.order.map((key, at) => [key, at]))
  const hidden = new Set(choice.hidden)
  const rankOf = (index: number) => rank.get(keys[index] ?? "") ?? rank.size
  const ordered = all.toSorted((left, right) => rankOf(left) - rankOf(right))
  const shown = ordered.filter((index) => !hidden.has(keys[index] ?? ""))
  return shown.length === 0 ? ordered.slice(0, 1) : shown
}

/** The same columns in another order: one of them stands that many places further on. */
export const moved = (keys: ReadonlyArray<string>, key: string, by: number): ReadonlyArray<string> => {
  const from = keys.indexOf(key)
  const to = Math.max(0, Math.min(keys.length - 1, from + by))
  return from < 0 ? keys : keys.filter((other) => other !== key).toSpliced(to, 0, key)
}
