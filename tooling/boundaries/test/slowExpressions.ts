/** Expressions that are not linear, some of which were in use. */
export const slowExpressions: ReadonlyArray<readonly [source: string, flags: string]> = [
  ["<[^>]*>", "g"],
  [String.raw`\/+$`, ""],
  ["0+$", ""],
  ["(a+)+b", ""],
  [String.raw`^(?:[^\S\r\n]*(?:\r\n|\r|\n))*###`, ""],
  [String.raw`\B(?=(\d{3})+(?!\d))`, "g"],
  ["of .* is greater", "i"],
  [String.raw`^###\s*(.*?)\s*$`, ""],
  [String.raw`^Invalid ABI parameter\..*Details: (.*)$`, ""],
]
