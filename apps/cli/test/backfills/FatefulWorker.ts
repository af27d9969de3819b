/** A worker of a backfill whose every step may be its last: the legs and files of the command, without Effect's cluster. */
import { Lanes, PartFiles, runLeg, Store, Targets, writeManifest } from "@dotrpc/backfill"
import { CreditBudget, CreditLedger, RangeScan, RpcClient, SqliteFile } from "@dotrpc/core"
import { type Network, RpcError, Transport } from "@dotrpc/spec"
import { Clock, Context, Effect, Exit, type Fiber, Layer, Scope } from "effect"
import * as BackfillFiles from "../../src/BackfillFiles.ts"
import type { NamedFile } from "../../src/Host.ts"
import { type Chain, method } from "./chain.ts"
import { Fate, type World } from "./Fate.ts"

export interface Place {
  readonly world: World
  readonly chain: Chain
  readonly folder: NamedFile
  readonly database: string
  readonly backfill: string
  readonly network: Network
  /** The account of all workers. */
  readonly ledger: CreditLedger.CreditLedger["Service"]
}

/** Pieces that a worker reads at once. */
export const lanes = 4

type Needs = Store.Store | PartFiles | Targets | Lanes.Lanes | RpcClient.RpcClient

export class FatefulWorker {
  readonly fate: Fate
  /** The pieces that it reads. */
  readonly legs = new Map<number, Fiber.Fiber<void>>()
  readonly #place: Place
  readonly #context: Context.Context<Needs>

  private constructor(place: Place, fate: Fate, context: Context.Context<Needs>) {
    this.#place = place
    this.fate = fate
    this.#context = context
  }

  static readonly start = Effect.fnUntraced(function* (place: Place, name: string) {
    const fate = new Fate(place.world)
    const connection = yield* Scope.make()
    const store = yield* Layer.buildWithScope(
      // Each process has a connection of its own.
      Layer.fresh(Store.layer).pipe(Layer.provide(SqliteFile.layer(place.database)), Layer.orDie),
      connection,
    )
    fate.disconnect = () => {
      if (fate.isConnected) Effect.runSync(Scope.close(connection, Exit.void))
      fate.isConnected = false
    }
    const layer = Layer.mergeAll(
      Layer.succeedContext(fatefulStore(store, fate)),
      fatefulFiles(place.folder, fate),
      clientOf(place, fate),
      Lanes.layer(name, lanes),
      Layer.succeed(Targets, { find: () => ({ method, network: place.network }) }),
    )
    return new FatefulWorker(place, fate, yield* Layer.buildWithScope(layer, yield* Scope.make()))
  })

  /** Begins or resumes a piece; `leg` numbers its legs. */
  read(id: number): Effect.Effect<void> {
    const { backfill } = this.#place
    const legs = Effect.gen(function* () {
      for (let leg = 0; ; leg++) {
        const end = yield* runLeg({ backfill, id }, leg, { partBytes: 4_000, memory: RangeScan.memoryOfProcess() })
        if (end._tag === "Until") yield* Effect.sleep(Math.max(1, end.wake - (yield* Clock.currentTimeMillis)))
        if (end._tag === "Waits") yield* Effect.sleep(1_000)
        if (end._tag === "Finished") return
      }
    })
    return Effect.map(Effect.forkDetach(Effect.provideContext(legs, this.#context)), (fiber) => {
      this.legs.set(id, fiber)
    })
  }

  /** One look at the store, as a worker takes one now and then. A store that it has lost is none of our business. */
  readonly look = Effect.suspend(() =>
    writeManifest(this.#place.backfill).pipe(
      Effect.andThen(Effect.flatMap(Store.Store, (store) => store.divide(this.#place.backfill, Effect.succeed))),
      Effect.ignore,
      Effect.provideContext(this.#context),
    ),
  )
}

/** The store, with a step before and after each of its changes. */
const fatefulStore = (context: Context.Context<Store.Store>, fate: Fate): Context.Context<Store.Store> => {
  const store = Context.get(context, Store.Store)
  return Context.make(Store.Store, {
    ...store,
    claim: (...args) => fate.around(store.claim(...args)),
    spooled: (...args) => fate.around(store.spooled(...args)),
    grant: (...args) => fate.around(store.grant(...args)),
    progress: (...args) => fate.around(store.progress(...args)),
    commit: (...args) => fate.around(store.commit(...args)),
    wait: (...args) => fate.around(store.wait(...args)),
    divide: (...args) => fate.around(store.divide(...args)),
    manifest: (...args) => fate.around(store.manifest(...args)),
  })
}

/** The folder, with a step before and after each write, of which some are within a transaction. */
const fatefulFiles = (folder: NamedFile, fate: Fate): Layer.Layer<PartFiles> =>
  Layer.effect(
    PartFiles,
    Effect.gen(function* () {
      const files = yield* PartFiles
      const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.andThen(fate.step("in a transaction"), effect).pipe(Effect.tap(() => fate.step("in a transaction")))
      return PartFiles.of({
        openSpool: (...args) =>
          Effect.map(fate.around(files.openSpool(...args)), (spool) => ({
            ...spool,
            append: (answer) => fate.around(spool.append(answer)),
          })),
        drop: (...args) => fate.around(files.drop(...args)),
        write: (...args) => fate.around(files.write(...args)),
        writeManifest: (...args) => inTransaction(files.writeManifest(...args)),
        clean: (...args) => inTransaction(files.clean(...args)),
      })
    }),
  ).pipe(Layer.provide(BackfillFiles.layer(folder)))

/** A client that pays for its calls, over a connection that ends with the worker. */
const clientOf = ({ chain, ledger, network }: Place, fate: Fate) =>
  RpcClient.layer({ networks: [network] }).pipe(
    Layer.provide(CreditBudget.layer()),
    Layer.provide(Layer.succeed(CreditLedger.CreditLedger, ledger)),
    Layer.provide(
      Layer.succeed(Transport, {
        send: (request) =>
          fate.around(
            Effect.suspend(() => {
              const answer = chain.answer(request)
              return answer instanceof RpcError ? Effect.fail(answer) : Effect.succeed({ result: answer })
            }),
          ),
      }),
    ),
    Layer.orDie,
  )
