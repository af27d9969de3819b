/** Runs .rpc documents: plan, order, price, and a stream of run events that every front end renders. */
export { attemptWords, pauseWords, sharedWords } from "./AttemptWords.ts"
export { type BlockTimes, blockTimesOfProcess } from "./BlockTimes.ts"
export { dryRunReports } from "./DryRun.ts"
export { ExitCode, exitCodeOf } from "./ExitCode.ts"
export { internalErrorCode, internalErrorWords } from "./InternalError.ts"
export { followRun, type RunSoFar } from "./Interrupted.ts"
export { type ItemList, itemListOf } from "./ItemList.ts"
export {
  diagnosticJson,
  elsewhereJson,
  type FileReport,
  jsonReport,
  type ReportedCredits,
  requestJson,
} from "./JsonReport.ts"
export { likelyScan, withoutKept } from "./LikelyScan.ts"
export { type FoundNames, lookUpNames, type NamesQuestion, priceOfNames } from "./LookUpNames.ts"
export { namedResult } from "./NamedResult.ts"
export {
  isOverBudget,
  type LeftOut,
  makePlan,
  priceWithinBudgets,
  type NothingSent,
  refuseRequests,
  type ReusedResult,
  type RunPlan,
  type Selection,
  selectionProblems,
  sendNothing,
  whyNothing,
} from "./RunPlan.ts"
export { mergePaidRows, type PaidRow, type PaidRowsLimits, rowsAsOne, rowsOfRun, withoutPaidRows } from "./PaidRows.ts"
export { type FindResult, resultsToReuse, reusedOf, reuseSources, sourcesIn } from "./ReusedSources.ts"
export { type ColumnsOptions, type ResultColumns, resultColumns } from "./ResultColumns.ts"
export { isBroken } from "./internal/broken.ts"
export { isAnswered, isGood, run, type RunOptions } from "./Run.ts"
export type {
  CheckReport,
  CompareReport,
  Difference,
  ErrorReport,
  PartialResult,
  Render,
  RequestFinished,
  RequestProgress,
  RequestReport,
  RequestStarted,
  RequestStatus,
  RowReport,
  RowsProgress,
  Resumption,
  RunCredits,
  RunEvent,
  RunFinished,
  RunStarted,
} from "./RunEvent.ts"
export { keptUnits, unitsKey, type UnitsMemory } from "./UnitsMemory.ts"
export {
  longestSnapshot,
  type KeptSnapshots,
  makeSnapshots,
  readingSnapshots,
  mostDifferences,
  showActual,
  showDifferences,
  type SnapshotOptions,
  type SnapshotOutcome,
  type Snapshots,
} from "./Snapshots.ts"
export {
  labelOf,
  reusedWords,
  showMillis,
  summarizeCredits,
  showCharge,
  spentBy,
  summarizeChecks,
  summarizeComparison,
  summarizeReport,
  summarizeRows,
  summarizeUnfinished,
} from "./Summary.ts"
