/** The README as it is packed. */

/**
 * With its pictures as they are on the `page` of the repository: neither an installed extension nor the page of a gallery can
 * reach them by a relative path, and galleries take no picture that is inside the text. Without them while there is no such page.
 */
export const packedReadme = (text: string, page: string | undefined): string =>
  page === undefined
    ? text.replace(/<picture>[^]*?<\/picture>\n\n?/g, "")
    : text.replaceAll('="../../', `="${page}/raw/HEAD/`)
