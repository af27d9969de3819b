/** Whether a file holds golden exchanges, by its name. */
export const isGolden = (file: string): boolean => /\.io$/i.test(file)
