/** One POST and what became of it, without a judgement: a failed `fetch` is told by how far it came. */

/** The part of `fetch` that is used. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

type Headers = (name: string) => string | undefined

export type Exchange =
  | { readonly _tag: "Whole"; readonly status: number; readonly headers: Headers; readonly body: string }
  | { readonly _tag: "CutOff"; readonly status: number; readonly headers: Headers }
  | { readonly _tag: "Redirect"; readonly status: number }
  | { readonly _tag: "None"; readonly error: unknown }

/** Never rejects. */
export const exchange = async (fetch: Fetch, address: string, body: string, signal: AbortSignal): Promise<Exchange> => {
  let response: Response
  try {
    response = await fetch(address, { ...init, body, signal })
  } catch (error) {
    return { _tag: "None", error }
  }
  const { status } = response
  // A browser hides the status of a redirect that it was told not to follow.
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    await response.body?.cancel().catch(() => undefined)
    return { _tag: "Redirect", status }
  }
  const headers: Headers = (name) => response.headers.get(name) ?? undefined
  try {
    return { _tag: "Whole", status, headers, body: await response.text() }
  } catch {
    return { _tag: "CutOff", status, headers }
  }
}

const init = {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json" },
  redirect: "manual",
  credentials: "omit",
  referrerPolicy: "no-referrer",
} as const satisfies RequestInit
