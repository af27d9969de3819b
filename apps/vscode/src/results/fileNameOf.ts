/** The name of a file for the result of a request: letters, digits and dashes of its label. */
export const fileNameOf = (label: string): string =>
  label.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "result"
