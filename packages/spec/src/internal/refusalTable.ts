/**
 * What servers say when they refuse a call, in front of nodes and in them, whatever the family: one table for all plugins. JSON-RPC
 * codes are shared by too many meanings, so words come before codes (-32005 alone says too many results, too slow, too many
 * requests and a node that is behind).
 *
 * A wording that somebody meets next is one more line here.
 */

/** Words that stand for blocks in params, of all families: a refusal of one of them names no block, and people do not see which it was. */
export const blockTags: ReadonlySet<string> = new Set([
  "latest",
  "safe",
  "finalized",
  "earliest",
  "pending",
  "pre_confirmed",
  "l1_accepted",
])

/** A reason, and how servers say it. An error fits a row by everything that the row names, and the first row that fits decides. */
export interface Refusal {
  readonly reason:
    | "SplitRequired"
    | "RateLimited"
    | "TooManyParams"
    | "Unsupported"
    | "InvalidParams"
    | "NotFound"
    | "NodeBehind"
    | "Transport"
    | "Rejected"
  /** JSON-RPC codes. */
  readonly codes?: ReadonlyArray<number> | undefined
  /** One of these is in the message, or in a text of the data. Of one with a group, that is the number which the server names. */
  readonly words?: ReadonlyArray<RegExp> | undefined
  /** Is in the data, as JSON. */
  readonly data?: RegExp | undefined
  /** Advice: what to do instead. */
  readonly hint?: string | undefined
  /** Of `Unsupported`: what is missing. */
  readonly lacks?: "method" | "history" | undefined
  /** Of `SplitRequired`: what there is too much of. */
  readonly cause?: "results" | "timeout" | "span" | undefined
}

/** What a contract reverts with says nothing about the server, whatever its words. */
export const reverts: ReadonlyArray<Refusal> = [
  // EIP-1474.
  { reason: "Rejected", codes: [3] },
  {
    reason: "Rejected",
    words: [
      /\bexecution reverted\b/i,
      /\breverted with\b/i,
      /\btransaction (?:\w+ ){0,3}reverted\b/i,
      /\brevert(?:ed)? (?:opcode|reason)\b/i,
      /\bvm (?:exception|execution error)\b/i,
      /^(?:error: )?revert(?:ed)?\b/i,
      // Of programs and contracts of other families.
      /\bcustom program error\b/i,
      /^(?:contract error|transaction execution error)\b/i,
      /\bfailure reason: /i,
    ],
  },
]

/** What stands in front of nodes counts requests in ways of its own: it is asked before the codes of any family. */
export const limits: ReadonlyArray<Refusal> = [
  // Waiting a second does not help, and nobody says when the month ends.
  {
    reason: "Rejected",
    words: [
      /\bmonthly (?:\w+ ){0,2}(?:capacity|quota|requests?|credits?|limit)\b[^]*\b(?:exceeded|reached|used up)\b/i,
    ],
  },
  { reason: "RateLimited", codes: [-32_429, -32_029, -32_090, -32_097] },
  { reason: "RateLimited", data: /"backoff_seconds"/ },
  {
    reason: "RateLimited",
    words: [
      /\brequest rate\b/i,
      /\brate[- ]?limit/i,
      /\b(?:call|requests?|credits?) rate\b[^.]{0,40}\b(?:exceeded|exhausted|limited|too high)\b/i,
      /\btoo many (?:\w+ )?(?:requests|connections|calls)\b/i,
      /\brequests? (?:count |quota )?limit (?:was |has been |is )?(?:reached|exceeded|hit)\b/i,
      /\b(?:requests|calls|credits|compute units|cups?)\b[^.]{0,80}(?:\bper[- ](?:second|minute)\b|\/ ?(?:s|sec|second|min|minute)\b)/i,
      /\b\d{1,12} ?\/ ?(?:s|sec|second|min|minute)\b/i,
      /\brps\b[^.]{0,40}\b(?:limit|exceeded)|\b(?:limit|exceeded)\b[^.]{0,40}\brps\b/i,
      /\bthrottl(?:ed|ing)\b/i,
      /\bthroughput (?:limit|(?:was |is )?exceeded)\b/i,
      /\bexceeded (?:its|your|the) [^.]{0,60}\b(?:capacity|throughput)\b/i,
      /\bslow down\b/i,
    ],
  },
]

/** More than a node gives, or does, for one call; a narrower call may be answered. A group is what the server names: the largest span. */
export const tooLarge: ReadonlyArray<Refusal> = [
  {
    reason: "SplitRequired",
    cause: "timeout",
    words: [/\bquery (?:timeout exceeded|timed out|timeout)/i, /\bquery (?:took|takes|is taking) too long\b/i],
  },
  // Looked for before caps on the span: both say "exceeds limit of N".
  {
    reason: "SplitRequired",
    cause: "results",
    words: [
      /\breturned more than [\d,]+ results/i,
      /\blogs matched by query exceeds limit/i,
      /\btoo many (?:logs|results|events)\b/i,
      /\bexceeds max results/i,
      /\bresponse size (?:is )?(?:exceeded|should not|too large|larger than|exceeds)/i,
      /\bresponse (?:is )?too (?:big|large)/i,
    ],
  },
  {
    reason: "SplitRequired",
    cause: "span",
    // The most telling first.
    words: [
      /\bup to a ([\d,]+[km]?) block range/i,
      /\blimited to (?:a )?([\d,]+[km]?) (?:block )?range/i,
      /\blimited to ([\d,]+[km]?) blocks?\b/i,
      /\brange [\d,]+ (?:exceeds|is (?:bigger|larger|greater) than) (?:the )?(?:range )?limit (?:of )?([\d,]+)/i,
      /\bexceeds the range allowed for your plan \([\d,]+ > ([\d,]+)\)/i,
      /(?:max|maximum) (?:block )?range:? (?:= ?)?([\d,]+[km]?)/i,
      /\brequested block range is too large \(max is ([\d,]+)/i,
      /\branges over ([\d,]+[km]?) blocks/i,
      /\bnumber of requested blocks is ([\d,]+[km]?)/i,
      /\brange (?:is )?too (?:large|wide).*?max(?:imum)?(?: allowed)?(?: is)? ([\d,]+[km]?)/i,
      /\btoo large, max is ([\d,]+[km]?)(?:\/[\d,]+[km]?)* blocks/i,
      /\brequested too many blocks from \d{1,20} to \d{1,20}, maximum is set to ([\d,]+[km]?)/i,
      /\blimited to a 0 - ([\d,]+[km]?) blocks? range/i,
      /\bblock range exceeds ([\d,]+[km]?)/i,
      /\bblock range exceeds server limit, narrow your filter: ([\d,]+[km]?)/i,
      /\bblocks distance: ([\d,]+[km]?)/i,
      /\blogs over more than ([\d,]+[km]?) blocks/i,
      /\blimit the query to at most ([\d,]+[km]?) blocks/i,
      /\bblock range greater than ([\d,]+[km]?)/i,
      /\bquery must be smaller than size ([\d,]+[km]?)/i,
      /\bmax(?:imum)? allowed range/i,
      /\bexceeds maximum range limit/i,
      /\bblock range limit exceeded/i,
      /^limit exceeded$/i,
      /\brange (?:is )?too (?:large|wide)/i,
      /\bblock range is (?:larger|bigger|greater) than\b/i,
    ],
  },
]

const invalidRange = [/\binvalid block range\b/i, /\bstart of block range .{0,80} is greater than end\b/i]

/** What a node says of a range whose first block is not after the last: it does not know them yet. */
export const ofRangesInOrder: ReadonlyArray<Refusal> = [
  {
    reason: "NodeBehind",
    words: invalidRange,
    hint: "The range is in order, so the node that answered has not reached it: wait a few seconds, or end the range at an older block.",
  },
]

/** What a node says about itself and what it has. */
export const ofNodes: ReadonlyArray<Refusal> = [
  {
    reason: "TooManyParams",
    words: [/\bquery contains [\d,]+ filters\.? the current limit is ([\d,]+)/i],
  },
  {
    reason: "InvalidParams",
    words: invalidRange,
    hint: "The first block of the range must not be after the last; a tag may mean an older block than expected.",
  },
  // The gateway has no node to ask just now.
  {
    reason: "Transport",
    words: [
      /\bno (?:backend|upstream|node|server)s? (?:is|are) (?:currently )?(?:healthy|available)\b/i,
      /\bno (?:healthy|available) (?:backend|upstream|node|server)s?\b/i,
      /\b(?:service|server|upstream|backend|node) (?:is )?(?:temporarily |currently )?(?:unavailable|overloaded|too busy|busy)\b/i,
      /\bbad gateway\b|\bgateway time-?out\b/i,
    ],
  },
  { reason: "Unsupported", lacks: "method", codes: [-32_601] },
  {
    reason: "Unsupported",
    lacks: "method",
    words: [
      /\bmethod \S+ (?:is not|not|does not exist\/is not) (?:supported|available|found|whitelisted|enabled)\b/i,
      /\bmethod (?:is )?not (?:found|supported|available|whitelisted)\b/i,
      /\bunsupported method\b/i,
      /\bmethod \S+ does not exist\b/i,
    ],
  },
  // EIP-4444 gives pruned history a code of its own.
  { reason: "Unsupported", lacks: "history", codes: [4_444] },
  {
    reason: "Unsupported",
    lacks: "history",
    words: [
      /\bmissing trie node\b/i,
      /\b(?:historical|archive|prune[ds]?|pruning)\b/i,
      /\b(?:latest|last|recent) [\d,]+ blocks\b/i,
      /\bstate (?:\S+ )?(?:is )?(?:not|no longer|un)[ -]?available\b/i,
      /\bstate (?:is )?not (?:found|available) for block\b/i,
      /\bno state available\b/i,
      /\bdistance to target block exceeds\b/i,
      /\bfirst available block\b|\bcleaned up\b/i,
      /\bhistory is not available\b/i,
    ],
  },
  {
    reason: "NodeBehind",
    words: [
      /\bnode is (?:behind|unhealthy|lagging|(?:still )?sync\w*|catching up|not (?:yet )?(?:synced|in sync))\b/i,
      /\bbehind by [\d,]+ (?:blocks|slots)\b/i,
      /\bminimum context slot has not been reached\b/i,
      /\b(?:block|slot|header)\b[^.]{0,60}\bnot yet (?:available|synced|indexed|reached)\b/i,
      /\bblock\b[^.]{0,40}\bin (?:the )?future\b/i,
    ],
  },
  {
    reason: "NotFound",
    words: [
      /\b(?:unknown|unfinalized) block\b/i,
      /\b(?:cannot|could not|can't|unable to) find (?:the )?(?:block|header)\b/i,
      /\bblock \S+ (?:does not|doesn't) exist\b/i,
      /\bno (?:such )?block (?:with|found)\b/i,
      /\b(?:block|blockhash|header|transaction|receipt)\b.*\b(?:not found|cannot be found)\b/i,
      /\bblock range extends beyond current head\b/i,
      /\bend of requested block range\b.*\bdoes not exist\b/i,
      /\bblock height is \d+ but requested was \d+/i,
      /\binvalid block tag \d+\. latest block number is \d+/i,
    ],
  },
]
