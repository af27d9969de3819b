/** Clients may escape more of a URI than they have to. */
export const plainUri = (uri: string): string => {
  try {
    return decodeURIComponent(uri)
  } catch {
    // A name with a % that stands for itself.
    return uri
  }
}
