/** Where the sample chains are kept from one process to the next: making one takes a second. */
import type { Steps } from "@dotrpc/spec"
import type { ChainStore } from "./ChainStore.ts"
import { generatingChain, generatingEntries } from "./GeneratedChain.ts"
import { keptChain, writingKeptChain } from "./KeptChain.ts"

/** Keeps texts by name. Neither function throws: what cannot be kept is made again. */
export interface SampleStore {
  /** The text as it was written; `undefined` when there is none, or when it is not exactly what this version wrote. */
  readonly read: (name: string) => string | undefined
  /** Keeps a string under a name. */
  readonly write: (name: string, text: string) => void
}

/** The sample chain of a seed, from the store where it has it. What comes from there is data: it is parsed and never run. */
export function* makingSampleChain(seed: number, store: SampleStore | undefined): Steps<ChainStore> {
  if (store === undefined) return yield* generatingChain({ seed })
  const name = `chain-${seed}`
  const kept = store.read(name)
  const known = kept === undefined ? undefined : chainIn(kept)
  if (known !== undefined) return known
  const text = yield* writingKeptChain(yield* generatingEntries({ seed }))
  store.write(name, text)
  return keptChain(text)
}

const chainIn = (text: string): ChainStore | undefined => {
  try {
    return keptChain(text)
  } catch {
    // Whatever it is, the chain is made again.
    return undefined
  }
}
