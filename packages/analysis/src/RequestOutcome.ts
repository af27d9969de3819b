/** What a finished request offers: to its own checks by name, to other requests as members of its `# @name`. */

export interface OutcomeMember {
  readonly name: string
  /** One line. */
  readonly summary: string
}

export const outcomeMembers: ReadonlyArray<OutcomeMember> = [
  { name: "result", summary: "The result as the server sent it; null after an error" },
  { name: "error", summary: "The error with code, message, reason and data; null after a result" },
  { name: "credits", summary: "The credits that were spent, all attempts together" },
  { name: "ms", summary: "The milliseconds from sending to the last reply" },
  { name: "calls", summary: "How many calls were made: retries and pages count" },
]
