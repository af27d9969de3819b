/** Where the sample chains are kept from one process to the next: generating one takes a second, reading it a tenth. */
import type { ChainStore } from "./ChainStore.ts"
import { type GeneratedEntries, generateEntries } from "./GeneratedChain.ts"
import { memoryChain } from "./MemoryChain.ts"

/** Keeps texts by name. Neither function throws: what cannot be kept is made again. */
export interface SampleStore {
  /** The text as it was written; `undefined` when there is none, or when it is not exactly what this version wrote. */
  readonly read: (name: string) => string | undefined
  readonly write: (name: string, text: string) => void
}

/** The sample chain of a seed, from the store where it has it. What comes from there is data: it is parsed and never run. */
export const sampleChain = (seed: number, store: SampleStore | undefined): ChainStore => {
  if (store === undefined) return chainOf(generateEntries({ seed }))
  const name = `chain-${seed}`
  const kept = store.read(name)
  const known = kept === undefined ? undefined : chainIn(kept)
  if (known !== undefined) return known
  const generated = generateEntries({ seed })
  store.write(name, JSON.stringify(generated))
  return chainOf(generated)
}

const chainOf = ({ chainId, entries, pendingBlock }: GeneratedEntries): ChainStore =>
  memoryChain(entries, { chainId, pendingBlock })

const chainIn = (text: string): ChainStore | undefined => {
  try {
    // A store gives back only what was written to it.
    return chainOf(JSON.parse(text) as GeneratedEntries)
  } catch {
    // Whatever it is, the chain is made again.
    return undefined
  }
}
