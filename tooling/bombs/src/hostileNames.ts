/** Names that every JavaScript object has, or that stand for something in a regular expression: a lookup must not find them. */
export const hostileNames: ReadonlyArray<string> = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Array.prototype).filter((name) => name !== "length"),
  "prototype",
  "then",
  "caller",
  "arguments",
]
