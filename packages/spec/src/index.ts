/** Contracts of dotrpc: the JSON-RPC wire, lossless JSON, methods, plugins, networks and the error model. */
export { basicAuth } from "./BasicAuth.ts"
export { deprecatedFor, deprecationOf } from "./Deprecated.ts"
export type { Abi, AbiReader, AbiReading, DecodeContext, DecodedError, Meant, RenderContext, Sent } from "./Abi.ts"
export { longestName, type NamesReader, type NamesStep, shownName } from "./AccountNames.ts"
export {
  addressKey,
  type AddressLabels,
  type LabelledNetwork,
  type LabelledRows,
  labelledTable,
  labelOf,
  labelProblem,
  longestLabel,
  readLabels,
  withLabels,
} from "./AddressLabels.ts"
export { type BlockPinning, blockPinning, type BlockPinningDefinition, type TagPlace } from "./BlockPinning.ts"
export { blockRange, rangeOn, scanIssues } from "./BlockRange.ts"
export { type CountBounds, type ScanCalls, scanCalls, type ScanStanding } from "./ScanCalls.ts"
export { type RecentMap, recentMap } from "./RecentMap.ts"
export { type BoundedText, boundedText, readText } from "./BoundedText.ts"
export { showBytes } from "./Bytes.ts"
export * as Destination from "./Destination.ts"
export { checkEffectCopy } from "./EffectCopy.ts"
export { forgiving, type KeptValues } from "./ForgivingMemory.ts"
export * as Instant from "./Instant.ts"
export type { ColumnsContext, ColumnType, ColumnValue, ItemColumns, TypedColumn } from "./ItemColumns.ts"
export * as Json from "./Json.ts"
export { findingDifferences, type JsonDifference } from "./JsonDifferences.ts"
export { KeySalt } from "./KeySalt.ts"
export { type KeptCodec, type KeptMap, keptMap, type KeptMapOptions, type KeptText } from "./KeptMap.ts"
export {
  type BlockItem,
  type BlockTime,
  type BlockLookUp,
  type BlockPart,
  type BlockPlace,
  type BlockRange,
  type BlockRef,
  type Composite,
  type CompositeEnd,
  type CompositeSurroundings,
  type Division,
  type ItemOf,
  type ItemRange,
  mayRepeat,
  type Method,
  type MethodExample,
  type Multicall,
  type MulticallEntry,
  type MulticallGroup,
  type Pages,
  type ParamsOf,
  type Permanence,
  type Prepared,
  type ServerFailure,
  wireName,
} from "./Method.ts"
export { misfit, misfitWords, placeInResult, readable } from "./Misfit.ts"
export { defineMethod, type MethodDefinition } from "./MethodDefinition.ts"
export {
  answersPlugin,
  defineNetwork,
  explorerPage,
  type Network,
  type NetworkDefinition,
  outlivesRun,
  placeOf,
  pluginsOf,
  shortHash,
  wayOf,
} from "./Network.ts"
export { type HeaderProblem, headersProblem, keyInHeader, longestHeader, mostHeaders } from "./NetworkHeaders.ts"
export * as Options from "./Options.ts"
export {
  decidedBy,
  emptyLists,
  inUsualForm,
  nearest,
  type ParamIssue,
  type ParamPath,
  showPath,
  strictChecker,
  unneeded,
  valueAt,
  type WireSchema,
  withRepair,
  withUnknownMembers,
} from "./Params.ts"
export {
  longestSuggestion,
  mostSuggestions,
  type ParamSuggestion,
  type ParamSuggestions,
  readSuggestions,
  type ReadSuggestion,
  suggestionProblem,
} from "./ParamSuggestions.ts"
export {
  type AddressForm,
  definePlugin,
  type FunctionContext,
  type FunctionResult,
  type Plugin,
  type PluginDefinition,
  type PluginFunction,
  type Suggestion,
  type UnitsReader,
  type UnitsReading,
} from "./Plugin.ts"
export { type PluginClash, pluginClashes, pluginProblem } from "./PluginShape.ts"
export * as Price from "./Price.ts"
export * as PriceSheet from "./PriceSheet.ts"
export {
  decimalText,
  formatUnits,
  isDecimals,
  isSymbol,
  maxDecimals,
  readTokenUnits,
  type TokenUnits,
} from "./Units.ts"
export { isUnchecked, uncheckedMethod } from "./UncheckedMethod.ts"
export { withoutChecks } from "./WithoutChecks.ts"
export * as Redaction from "./Redaction.ts"
export { RangeScan } from "./RangeScan.ts"
export {
  afterError,
  afterPage,
  firstPlace,
  type PagePlace,
  type PageStep,
  type PageStop,
  type ReachedBlock,
  type PagesBefore,
} from "./PageWalk.ts"
export { type BodyLimits, type LongBody, readBody, readingContent, type ReplyBody } from "./ReplyBody.ts"
export { CurrentNetwork, ResultNotes, RpcClient } from "./RpcClient.ts"
export { type Classify, isRevert, meaningOf, neverSplit, recognised, type Refusal, refusals } from "./Refusals.ts"
export * as RpcReason from "./RpcReason.ts"
export { RpcError } from "./RpcError.ts"
export { nextTurn, pausing } from "./NextTurn.ts"
export { type NoteList, noteList } from "./NoteList.ts"
export { atOnce, inSlices, inTurns, type SliceOptions, type Steps } from "./Steps.ts"
export { type Gate, type Opening, type PrivateValue, saysWhere, SecretGate } from "./SecretGate.ts"
export * as Table from "./Table.ts"
export {
  defineSubscription,
  eventCredits,
  type Subscription,
  type SubscriptionDefinition,
  type SubscriptionId,
  type SubscriptionRefill,
  type SubscriptionSample,
} from "./Subscription.ts"
export { isStream, type StreamMethod, subscriptionIn } from "./StreamMethod.ts"
export { isSubscriptionId } from "./internal/subscriptionId.ts"
export {
  type EventsOptions,
  type SubscribeOptions,
  type SubscriptionEnd,
  type SubscriptionEvent,
  type SubscriptionGap,
  Subscriptions,
} from "./Subscriptions.ts"
export { isThisMachine } from "./ThisMachine.ts"
export { type RequestPricing, type RpcReply, type RpcRequest, Transport } from "./Transport.ts"
export { encodingOf, type NoText, textOfBytes } from "./TextOfBytes.ts"
export * as Visible from "./Visible.ts"
export * as Wire from "./Wire.ts"
export { offersWhole, pricesOf, wholeSaves } from "./WholeBlock.ts"
