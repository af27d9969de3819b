/** What a server's error means for a method of this plugin (service §7), besides what all servers say. */
import { type Classify, neverSplit, type Refusal, refusals } from "@dotrpc/spec"

const ofTags: ReadonlyArray<Refusal> = [
  {
    reason: "Unsupported",
    words: [
      /pending (logs|blocks?) (are|is) not supported/i,
      /\b(tag|block parameter)\b.*\b(not supported|unsupported|not available)\b/i,
      /\b(unsupported|unknown) (block )?tag\b/i,
    ],
  },
]

/** For methods that ask about one thing: nothing here can be split. */
export const classify: Classify = refusals([...neverSplit, ...ofTags])

/** For methods over a range of blocks, which a narrower range may satisfy. */
export const classifyRange: Classify = refusals(ofTags)
