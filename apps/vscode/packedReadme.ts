/** The README as it is packed. */

/**
 * Without its pictures: they lie in the repository, which neither an installed extension nor the page of a gallery can
 * reach by a relative path.
 */
export const packedReadme = (text: string): string => text.replace(/<picture>[^]*?<\/picture>\n\n?/g, "")
