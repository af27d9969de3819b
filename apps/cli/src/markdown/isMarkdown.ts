/** Whether a file is Markdown, by its name. Apart from what reads Markdown, which takes a while to load. */
export const isMarkdown = (file: string): boolean => /\.(md|markdown)$/i.test(file)
