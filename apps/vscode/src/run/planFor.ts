/** What would be sent of a text, in slices between which the editor can do something else. */
import { analyzing, inSlices, type Sources } from "@dotrpc/analysis"
import { parsingSections } from "@dotrpc/session"
import { makePlan, type RunPlan } from "@dotrpc/runner"
import { nextTurn } from "@dotrpc/spec"

import { acceptedText } from "../project/EditorTexts.ts"
import type { Project } from "../project/Project.ts"
import { type ShownReport, withShown } from "./reusedResults.ts"

/** A text, and the positions of the requests to run among those of it; all that are not skipped when there are none. */
export interface Planned {
  readonly text: string
  readonly requests: ReadonlyArray<number>
  /** False when nobody chose a request itself, but a file or all files: then none that writes may run. */
  readonly writes?: false | undefined
  /** What is shown of other requests, which is used where they are needed; absent where all of them are paid for. */
  readonly shown?: ShownReport | undefined
}

/** Read again, so that `now()` is the time of the run, and again as long as the text changes meanwhile. */
export const planFor = async <Input extends Planned>(
  read: () => Input,
  project: Pick<Project, "workspace">,
  sources: Sources,
): Promise<{ readonly input: Input; readonly plan: RunPlan }> => {
  for (let attempt = 0; attempt < 10; attempt++) {
    const { text } = read()
    const accepted = acceptedText(text)
    await nextTurn()
    const parsed = await inSlices(parsingSections(accepted.parsed))
    const workspace = { ...project.workspace, now: Date.now() }
    const analysis = parsed && (await inSlices(analyzing(parsed, workspace, { sources })))
    // A plan of thousands of requests takes its time as well.
    await nextTurn()
    const input = read()
    if (analysis === undefined || input.text !== text) continue
    const { requests, shown, writes } = input
    const plan = makePlan(analysis, { indexes: requests, writes })
    return { input, plan: shown === undefined ? plan : withShown(plan, requests, shown) }
  }
  throw new Error("Nothing was sent: the text keeps changing. Run it again.")
}
