/** The way a call is sent where nothing says which: over HTTP, unless the network has only a URL for WebSockets. */
import type { Network } from "@dotrpc/spec"

export type Way = "http" | "ws"

export const wayOf = ({ url, wsUrl }: Network, said: Way | undefined): Way =>
  said ?? (url === undefined && wsUrl !== undefined ? "ws" : "http")
