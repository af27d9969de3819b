/** The first topics of events that standards declare. */
import type { ParamSuggestions } from "@dotrpc/spec"
import { event } from "../functions/event.ts"
import { standardEvents } from "../standardEvents.ts"

/** For a filter as the first param. */
export const commonTopics: ParamSuggestions = {
  at: [0, "topics", 0],
  values: () => standardEvents.map(([signature, detail]) => ({ value: event(signature), label: signature, detail })),
}
