/**
 * Effect's workflow engine over the SQL database that is provided. Workers meet in the database alone: it has their
 * messages, their locks and their heartbeats, so that none of them listens on a port.
 */
import { Option, References } from "effect"
import {
  ClusterWorkflowEngine,
  type MessageStorage,
  RunnerAddress,
  RunnerHealth,
  Runners,
  Sharding,
  ShardingConfig,
  SqlMessageStorage,
  SqlRunnerStorage,
} from "effect/cluster"
import * as Digest from "effect/crypto/Digest"
import type { Duration } from "effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient, SqlError } from "effect/sql"
import type { WorkflowEngine } from "effect/workflow"

/** How a worker is known, and how soon others take over from it. */
export interface EngineOptions {
  /** Differs for each process that ever works on the database. */
  readonly worker: string
  /** A worker that says nothing for so long is taken for dead. */
  readonly expiration: Duration.Input
  /** How often the database is asked for messages. */
  readonly poll: Duration.Input
}

/** The engine, and the shards that this worker has of it. */
export const layer = ({
  expiration,
  poll,
  worker,
}: EngineOptions): Layer.Layer<
  WorkflowEngine.WorkflowEngine | Sharding.Sharding | MessageStorage.MessageStorage,
  SqlError.SqlError,
  SqlClient.SqlClient
> =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(Sharding.layer),
    Layer.provide(Runners.layerNoop),
    Layer.provideMerge(SqlMessageStorage.layerWith({ prefix })),
    Layer.provide([SqlRunnerStorage.layerWith({ prefix }), RunnerHealth.layerNoop]),
    Layer.provide(
      ShardingConfig.layer({
        // It is a name: nobody connects to it.
        runnerAddress: Option.some(RunnerAddress.make(worker, 1)),
        shardsPerGroup: shards,
        shardLockExpiration: expiration,
        entityMessagePollInterval: poll,
        entityReplyPollInterval: poll,
        refreshAssignmentsInterval: poll,
        // A leg that is interrupted waits for its calls in flight. Until then it would make others.
        entityTerminationTimeout: 0,
      }),
    ),
    Layer.provide(Digest.layerWebCrypto),
    // Not all that it logs says that it is of Effect's cluster, by which whoever shows logs to users leaves it out.
    Layer.provide(Layer.succeed(References.CurrentLogAnnotations, { module: "effect/cluster/Engine" })),
  )

/**
 * Workers whose heart beats: the engine removes one that ends, and takes one that says nothing for a while for dead. Nobody has worked on a
 * database without the engine's table.
 */
export const aliveIn = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlySet<string>> => {
  const since = sql.onDialectOrElse({
    pg: () => sql`NOW() - INTERVAL '15 seconds'`,
    orElse: () => sql`datetime(CURRENT_TIMESTAMP, '-10 seconds')`,
  })
  return sql<{ address: string }>`SELECT address FROM ${sql(`${prefix}_runners`)} WHERE last_heartbeat > ${since}`.pipe(
    Effect.map((rows) => new Set(rows.map(({ address }) => address.replace(/:\d+$/, "")))),
    Effect.catch(() => Effect.succeed(new Set<string>())),
  )
}

const prefix = "dotrpc_cluster"

/** What it keeps its state in: all of them, or none before a worker has begun. */
const tables = ["runners", "locks", "messages", "replies"].map((name) => `${prefix}_${name}`)

/**
 * Lets the engine create its tables anew where some of them were lost: it knows of no way itself. Pieces begin again where they stand, as
 * their state is in tables of the backfill's own.
 */
export const renewIn = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const isPartial = Effect.map(
      Effect.forEach(tables, (name) => Effect.isSuccess(sql`SELECT 1 FROM ${sql(name)} LIMIT 1`)),
      (found) => found.includes(true) && found.includes(false),
    )
    if (!(yield* isPartial)) return
    // Another worker may just create them.
    yield* Effect.sleep(3_000)
    if (!(yield* isPartial)) return
    for (const name of [...tables, `${prefix}_migrations`, `${prefix}_runner_migrations`])
      yield* sql`DROP TABLE IF EXISTS ${sql(name)}`
  })

/** The same for all workers of a database. */
const shards = 240
