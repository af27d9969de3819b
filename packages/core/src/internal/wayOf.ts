/** The way a call is sent where nothing says which: over HTTP, unless the network has an address for WebSockets only. */
import type { Network } from "@dotrpc/spec"

export type Way = "http" | "ws"

export const wayOf = ({ url, wsUrl }: Network, said: Way | undefined): Way =>
  said ?? (url === undefined && wsUrl !== undefined ? "ws" : "http")
