/**
 * Records calls in files, and answers calls from them: for tests, and to show the same result again without a network or a key.
 *
 * Invariants: a call that is answered from a recording is not sent and costs nothing; no recording contains a secret of a network.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  atOnce,
  findingDifferences,
  Json,
  Options,
  type RpcError,
  RpcReason,
  type RpcRequest,
  showPath,
  type Transport,
} from "@dotrpc/spec"
import { canonical, digestOf } from "./CallKey.ts"
import { CallObserver } from "./CallObserver.ts"
import { type Folder, folderAt, type FolderProblem } from "./cassette/folder.ts"
import { type Question, questionOf, reading, type Recording, writing } from "./cassette/recording.ts"
import { failure } from "./internal/failure.ts"
import { layerOver } from "./internal/layerOver.ts"

/**
 * Makes calls, and writes each with its answer into a file of this folder, which is created if its parent exists. A file has the
 * network and its chain, method, params, result or error, and the credits that were charged, as JSON with every digit. What a recording
 * of the same call said before is replaced.
 *
 * Secrets of the network are masked. Calls that a budget refused are not recorded. If the folder cannot be written to, nothing is sent:
 * calls fail with the reason `NotRecorded`. If an answer cannot be written once it is paid for, it is still given, with a warning in the log.
 *
 * Belongs above all other layers, in the place `aroundCall`, and needs Node 20.16 or newer.
 *
 * @example
 * ```ts
 * const client = RpcClient.layerMetered({ networks: [mainnet], aroundCall: Cassette.layerRecord("test/cassettes") })
 * ```
 */
export const layerRecord = (folder: string): Layer.Layer<Transport, Options.InvalidOptions, Transport> =>
  layerIn(folder, (files) => (below) => {
    const isWritable = Effect.runSync(Effect.cached(files.expectWritable))
    const known = new Map<string, { count: number; readonly isCleared: Effect.Effect<void, FolderProblem> }>()
    const write = Effect.fnUntraced(function* (
      request: RpcRequest,
      ended: { readonly result: Json.Json } | { readonly error: RpcError },
      credits: number,
    ) {
      const question = questionOf(request)
      const name = yield* nameOf(question)
      // Later answers of an earlier time would be taken for those of this one.
      const answers = known.get(name) ?? {
        count: 0,
        isCleared: Effect.runSync(Effect.cached(removeFrom(files, name, 2))),
      }
      known.set(name, answers)
      const file = fileOf(name, ++answers.count)
      yield* answers.isCleared
      yield* files.write(file, yield* writing(question, ended, credits, request.network.secrets))
    })
    return (request) =>
      Effect.gen(function* () {
        yield* Effect.mapError(isWritable, (problem) =>
          notRecorded(request, `nothing can be recorded in ${folder}: ${problem.why}`, problem.advice),
        )
        const observer = yield* CallObserver
        let credits = 0
        const result = yield* Effect.result(
          Effect.provideService(below(request), CallObserver, {
            ...observer,
            onAttemptEnd: (end, sent) => {
              credits += end.charged
              observer.onAttemptEnd?.(end, sent)
            },
          }),
        )
        const isFailure = result._tag === "Failure"
        if (isFailure && RpcReason.isOwnRefusal(result.failure.reason)) return yield* result.failure
        yield* write(request, isFailure ? { error: result.failure } : result.success, credits).pipe(
          Effect.catch(({ why }) => Effect.logWarning(`An answer of ${request.method.name} was not recorded: ${why}.`)),
        )
        return yield* Effect.fromResult(result)
      })
  })

/** How recordings are replayed. */
export interface ReplayOptions {
  /** What to do about a call that was not recorded, as a sentence; by default, how to record it in a terminal. */
  readonly advice?: string | undefined
}

/**
 * Answers calls from the recordings in a folder, and sends nothing: they cost no credits, and the `CallObserver` is notified of the credits that were
 * avoided. A call that was recorded several times gets its answers in the order in which they were recorded, and then the last one again.
 *
 * A call that was not recorded, or on another chain of the same name, fails with the reason `NotRecorded`, which names the nearest recording and
 * what differs. Requests are compared after secrets of the network are masked, so a recording is found with another key or without one.
 *
 * Belongs above all other layers, in the place `aroundCall`, and needs Node 20.16 or newer.
 *
 * @example
 * ```ts
 * const client = RpcClient.layerMetered({ networks: [mainnet], aroundCall: Cassette.layerReplay("test/cassettes") })
 * ```
 */
export const layerReplay = (
  folder: string,
  { advice: recordAgain = inTerminal }: ReplayOptions = {},
): Layer.Layer<Transport, Options.InvalidOptions, Transport> =>
  layerIn(folder, (files) => () => {
    const asked = new Map<string, { next: number; last: number }>()
    const recordingOf = Effect.fnUntraced(function* (
      request: RpcRequest,
      question: Question,
    ): Effect.fn.Return<Recording, RpcError> {
      const name = yield* nameOf(question)
      const turn = asked.get(name) ?? { next: 1, last: Number.POSITIVE_INFINITY }
      asked.set(name, turn)
      const count = Math.min(turn.next++, turn.last)
      const file = fileOf(name, count)
      const unusable = (why: string, advice: string) =>
        notRecorded(request, `${folder}/${file} cannot be used: ${why}`, advice)
      const text = yield* Effect.mapError(files.read(file), ({ advice, why }) => unusable(why, advice))
      if (text === undefined) {
        if (count === 1) {
          const missed = Effect.mapError(missWords(files, question), ({ advice, why }) =>
            notRecorded(request, why, advice),
          )
          return yield* notRecorded(request, yield* missed, recordAgain)
        }
        turn.last = Math.min(turn.last, count - 1)
        return yield* recordingOf(request, question)
      }
      const recording = yield* reading(text, question)
      return typeof recording === "string" ? yield* unusable(recording, recordAgain) : recording
    })
    return (request) =>
      Effect.gen(function* () {
        const { answer, credits } = yield* recordingOf(request, questionOf(request))
        const { onAvoided } = yield* CallObserver
        onAvoided?.(credits, request)
        return yield* answer
      })
  })

const layerIn = (
  folder: string,
  decorate: (files: Folder) => Parameters<typeof layerOver>[0],
): Layer.Layer<Transport, Options.InvalidOptions, Transport> =>
  Layer.unwrap(
    Effect.map(
      Options.inLayer(() => Options.path("folder", folder, "folder")),
      (path) => layerOver(decorate(folderAt(path))),
    ),
  )

const inTerminal = "Record the calls again (dotrpc run --record), or undo the change of the request."

const notRecorded = (request: RpcRequest, why: string, advice: string): RpcError =>
  failure(request, new RpcReason.NotRecorded({ why, advice }), "unsent")

/** The same for all calls that are the same; it begins with {@link startOf}, for the reader. */
const nameOf = (question: Question): Effect.Effect<string> =>
  Effect.map(
    digestOf(`${question.network}\n${question.method}\n${canonical(question.params)}`),
    (digest) => `${startOf(question)}${digest.slice(0, 16)}`,
  )

const startOf = ({ method, network }: Question): string => `${inFileNames(network)}.${inFileNames(method)}.`

/** Names of networks and methods may be any text. */
const inFileNames = (text: string): string => text.replaceAll(/[^\w-]/g, "_").slice(0, 60)

const fileOf = (name: string, count: number): string => (count === 1 ? `${name}.json` : `${name}.${count}.json`)

/** From this answer on, as long as there are more. */
const removeFrom = (files: Folder, name: string, count: number): Effect.Effect<void, FolderProblem> =>
  Effect.flatMap(files.remove(fileOf(name, count)), (wasThere) =>
    wasThere ? removeFrom(files, name, count + 1) : Effect.void,
  )

/** What was recorded instead, if anything was. */
const missWords = (files: Folder, question: Question): Effect.Effect<string, FolderProblem> =>
  Effect.gen(function* () {
    const missed = `no call of ${question.method} on ${question.network} with these params is recorded in ${files.path}`
    const names = yield* files.namesWith(startOf(question), mostCompared)
    let nearest: { readonly name: string; readonly differences: ReturnType<typeof differencesOf> } | undefined
    for (const name of names) {
      // One that cannot be read, or is long, is not compared: this is a hint, and there may be many.
      const text = yield* Effect.orElseSucceed(files.read(name, longestCompared), () => "")
      const recording = yield* reading(text ?? "", question)
      if (typeof recording === "string") continue
      const differences = differencesOf(recording.params, question.params)
      if (nearest === undefined || differences.length < nearest.differences.length) nearest = { name, differences }
    }
    if (nearest === undefined) return missed
    const shown = nearest.differences
      .slice(0, mostShown)
      .map(({ left, path, right }) => `${showPath(path)} was ${shownOf(left)} and is ${shownOf(right)}`)
    return `${missed}; in ${nearest.name}, ${shown.join(", ")}`
  })

const mostCompared = 50

/** Bytes of a recording. */
const longestCompared = 4 * 1_048_576

const mostShown = 3

const differencesOf = (recorded: Json.Json, asked: Json.Json) => atOnce(findingDifferences(recorded, asked, 1_000))

const shownOf = (value: Json.Json | undefined): string => {
  if (value === undefined) return "absent"
  const text = Json.stringifyStart(value, 80)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
