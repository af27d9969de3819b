/**
 * The connection of a socket of the package `ws`, without the long messages that are sent over it: these are handed over
 * while they arrive.
 */
import { makeLongMessages } from "./longMessages.ts"

/** Connects to a server; an option of `ws`, which hands it on to Node. */
export type CreateConnection = (options: ConnectOptions) => object

interface ConnectOptions {
  readonly host?: string | undefined
  readonly servername?: string | undefined
  readonly socketPath?: string | undefined
}

/** `undefined` where the program does not run in Node. */
export const connectionTo = (
  { protocol }: URL,
  onMessage: (pieces: ReadableStream<Uint8Array>) => void,
): CreateConnection | undefined => {
  const node = nodeModules()
  if (node === undefined) return undefined
  const { net, stream, tls } = node
  return (options) => {
    // As `ws` connects by itself.
    const socket =
      protocol === "wss:"
        ? tls.connect({ ...options, path: undefined, servername: serverNameOf(options, net) })
        : net.connect({ ...options, path: options.socketPath })
    socket.setNoDelay(true)
    let proceed: (() => void) | undefined
    let isPaused = false
    const messages = makeLongMessages({
      onMessage,
      pause: () => {
        isPaused = true
      },
      resume: () => {
        isPaused = false
        const done = proceed
        proceed = undefined
        done?.()
      },
    })
    const others = new stream.Transform({
      transform: (bytes, _encoding, done) => {
        for (const part of messages.take(bytes)) others.push(part)
        if (isPaused) proceed = done
        else done()
      },
    })
    others.once("close", messages.end)
    socket.pipe(others)
    return stream.Duplex.from({ readable: others, writable: socket })
  }
}

const serverNameOf = ({ host = "", servername }: ConnectOptions, net: Net): string =>
  servername ?? (net.isIP(host) > 0 ? "" : host)

interface Net {
  readonly connect: (options: object) => Connection
  readonly isIP: (host: string) => number
}

interface Connection {
  readonly setNoDelay: (isOn: boolean) => void
  readonly pipe: (to: object) => void
}

interface Transform {
  readonly push: (bytes: Uint8Array) => void
  readonly once: (event: "close", listener: () => void) => void
}

interface NodeModules {
  readonly net: Net
  readonly tls: { readonly connect: (options: object) => Connection }
  readonly stream: {
    readonly Transform: new (options: {
      readonly transform: (bytes: Uint8Array, encoding: unknown, done: () => void) => void
    }) => Transform
    readonly Duplex: { readonly from: (halves: { readonly readable: object; readonly writable: object }) => object }
  }
}

const nodeModules = (): NodeModules | undefined => {
  const { process } = globalThis as { readonly process?: Process | undefined }
  const load = (id: string) => process?.getBuiltinModule?.(id)
  const [net, stream, tls] = [load("node:net"), load("node:stream"), load("node:tls")]
  if (net === undefined || stream === undefined || tls === undefined || process?.versions?.bun !== undefined)
    return undefined
  // Node's own modules: their shapes are documented, and the tests use all of what is declared above.
  return { net, stream, tls } as NodeModules
}

interface Process {
  readonly getBuiltinModule?: ((id: string) => object | undefined) | undefined
  readonly versions?: { readonly bun?: string | undefined } | undefined
}
