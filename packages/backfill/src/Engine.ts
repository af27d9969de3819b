/**
 * Effect's workflow engine over the SQL database that is provided. Workers meet in the database alone: it has their
 * messages, their locks and their heartbeats, so that none of them listens on a port.
 */
import { Option } from "effect"
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
  )

const prefix = "dotrpc_cluster"

/** The same for all workers of a database. */
const shards = 240
