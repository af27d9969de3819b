/** What a worker knows of its own: the methods and networks that orders name. */
import type { Method, Network } from "@dotrpc/spec"
import { Context } from "effect"

/** A method and the network that answers it. */
export interface Target {
  readonly method: Method
  readonly network: Network
}

/** Finds what an order names in the worker's own configuration, which alone has URLs and keys. */
export class Targets extends Context.Service<
  Targets,
  {
    /** A text says why there is none. */
    readonly find: (method: string, network: string) => Target | string
  }
>()("@dotrpc/backfill/Targets") {}
