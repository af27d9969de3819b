/**
 * Whether the first byte of a `fetch` has left. Node's HTTP client reports it on diagnostics channels, for each request by
 * itself; a browser never says.
 *
 * Invariant: a departure says no only where nothing has left and nothing will, once the request has ended or was aborted.
 */

export interface Departure {
  /** Starts a `fetch`, and notices when it leaves. */
  readonly of: <A>(fetch: () => A) => A
  /** Whether its first byte has left; `undefined` when nobody says. */
  readonly hasLeft: () => boolean | undefined
  /** The request has ended, or was aborted: where nobody said that nothing left, it may have left. */
  readonly settle: () => void
}

/** Calls `onLeave` once: before the first byte leaves, or, where nobody says when that is, when the `fetch` starts or ends. */
export const makeDeparture = (onLeave: () => void): Departure => {
  const watch = watchOfNode()
  let state: "unknown" | "here" | "gone" = "unknown"
  let isTold = false
  const tell = () => {
    if (isTold) return
    isTold = true
    onLeave()
  }
  const sending: Sending = {
    onQueued: () => {
      if (state === "unknown") state = "here"
    },
    onHeaders: () => {
      state = "gone"
      tell()
    },
  }
  return {
    of: (fetch) => {
      if (watch !== undefined) return watch(sending, fetch)
      tell()
      return fetch()
    },
    hasLeft: () => (state === "unknown" ? undefined : state === "gone"),
    settle: () => {
      if (state !== "here") tell()
    },
  }
}

/** What the client reports about one `fetch`. */
interface Sending {
  /** Its request waits for a connection. */
  readonly onQueued: () => void
  readonly onHeaders: () => void
}

type Watch = <A>(sending: Sending, fetch: () => A) => A

/** `undefined` where the program does not run in Node. Listens from its first use on. */
const watchOfNode = (): Watch | undefined => {
  if (!isLookedUp) known = makeWatch()
  isLookedUp = true
  return known
}
let isLookedUp = false
let known: Watch | undefined

const makeWatch = (): Watch | undefined => {
  const { process } = globalThis as { readonly process?: Process | undefined }
  const load = (id: string) => process?.getBuiltinModule?.(id)
  const [channels, hooks] = [load("node:diagnostics_channel"), load("node:async_hooks")]
  if (channels === undefined || hooks === undefined || process?.versions?.bun !== undefined) return undefined
  const { subscribe } = channels as Channels
  const { AsyncLocalStorage } = hooks as Hooks
  const current = new AsyncLocalStorage<Sending>()
  const sendings = new WeakMap<object, Sending>()
  subscribe("undici:request:create", ({ request }) => {
    const sending = current.getStore()
    // Through a proxy there is also a CONNECT, which carries nothing of the call.
    if (sending === undefined || request.method !== "POST") return
    sendings.set(request, sending)
    sending.onQueued()
  })
  for (const channel of ["undici:client:sendHeaders", "undici:request:bodySent", "undici:request:headers"])
    subscribe(channel, ({ request }) => sendings.get(request)?.onHeaders())
  return (sending, fetch) => current.run(sending, fetch)
}

interface Process {
  readonly getBuiltinModule?: ((id: string) => object | undefined) | undefined
  readonly versions?: { readonly bun?: string | undefined } | undefined
}

interface Channels {
  readonly subscribe: (
    channel: string,
    listener: (message: { readonly request: { readonly method?: string | undefined } }) => void,
  ) => void
}

interface Hooks {
  readonly AsyncLocalStorage: new <A>() => {
    readonly getStore: () => A | undefined
    readonly run: <B>(store: A, f: () => B) => B
  }
}
