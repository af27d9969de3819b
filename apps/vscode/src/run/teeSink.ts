/** A run that is shown in several places. */
import type { RunSink, RunView } from "./RunSink.ts"

export const teeSink = (sink: RunSink, ...watching: ReadonlyArray<RunView>): RunSink => ({
  busy: sink.busy,
  begin: (requests, cancel) => teeView([sink.begin(requests, cancel), ...watching]),
})

export const teeView = (views: ReadonlyArray<RunView>): RunView => ({
  receive: (event) => views.forEach((view) => view.receive(event)),
  abandon: (request, credits) => views.forEach((view) => view.abandon(request, credits)),
  end: () => views.forEach((view) => view.end()),
})
