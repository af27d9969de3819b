/** A run that is shown in one place and watched from others. */
import type { RunSink, RunView } from "./RunSink.ts"

export const teeSink = (sink: RunSink, ...watching: ReadonlyArray<RunView>): RunSink => ({
  busy: sink.busy,
  begin: (requests, cancel) => {
    const views = [sink.begin(requests, cancel), ...watching]
    return {
      receive: (event) => views.forEach((view) => view.receive(event)),
      abandon: (request, credits) => views.forEach((view) => view.abandon(request, credits)),
      end: () => views.forEach((view) => view.end()),
    }
  },
})
