/** The user name and password of a URL, as HTTP sends them: in a header, and never as a part of the URL. */

/**
 * The value of the header `Authorization` for a URL with a user name or password; `undefined` for any other URL.
 *
 * @example
 * ```ts
 * basicAuth(new URL("http://alice:pa%3Ass@127.0.0.1:8332/")) // "Basic YWxpY2U6cGE6c3M="
 * ```
 */
export const basicAuth = (url: URL): string | undefined => {
  if (url.username === "" && url.password === "") return undefined
  const bytes = new TextEncoder().encode(`${decoded(url.username)}:${decoded(url.password)}`)
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
