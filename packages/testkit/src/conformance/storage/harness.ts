import type {
  Commit,
  CommitResult,
  Entities,
  EntityKind,
  JobSpec,
  Storage,
  StreamEventName,
} from '@matchyard/core/ports'

/**
 * Reads what is really stored, past the adapter: with a connection and statements of the author's own, or the bare map. It keeps
 * an adapter that answers from a cache, consistently, from passing.
 */
export interface StorageBackDoor {
  /** Every entity of a kind: its version column and its body. */
  entities<K extends EntityKind>(kind: K): Promise<{ id: string; version: number; value: Entities[K] }[]>
  uniqueKeys(): Promise<{ key: string; kind: string; id: string }[]>
  counters(): Promise<{ id: string; value: number }[]>
  /** A lobby's stored stream, in any order. */
  events(lobbyId: string): Promise<{ version: number; name: StreamEventName }[]>
  jobs(): Promise<JobSpec[]>
}

/** One store of its own, empty and migrated. */
export interface StorageUnderTest {
  readonly storage: Storage
  readonly backDoor: StorageBackDoor
  /** Another handle on the same data, as another node has one. An adapter for one service only answers `storage` itself. */
  another(): Promise<Storage>
  /** Closes every handle and opens the same data again, migrated, as after a restart. */
  reopen(): Promise<Storage>
  /**
   * Sends a commit and keeps it from finishing until `during` is done: a PostgreSQL adapter's author lets another connection
   * hold the row that the commit needs last, for instance its own id in the log of commits. Where nothing can run inside a
   * commit (one thread, one writer), `during` runs first and the commit after it.
   */
  holdOpen(commit: Commit, during: () => Promise<void>): Promise<CommitResult>
  /**
   * Keeps a copy of the data, runs `during`, and puts the copy in its place: as a restored backup does, or a failover to a replica that
   * had not got everything. Answers a handle on what is there then: the first one where handles live on, else a new one.
   */
  goBack(during: () => Promise<void>): Promise<Storage>
  /**
   * Waits until every transaction that is open now on the same database server has ended, those of other databases included. Only an
   * adapter whose cursors hold such transactions needs it: PostgreSQL numbers the transactions of all databases in one row.
   */
  settle?(): Promise<void>
  /** Closes every handle and removes the data. */
  dispose(): Promise<void>
}

/** What the author of an adapter supplies. */
export interface StorageHarness {
  open(): Promise<StorageUnderTest>
}

/** One guarantee of the port. Register each with your own runner: `test(item.name, () => item.run(harness))`. */
export interface StorageCase {
  readonly area: string
  readonly name: string
  run(harness: StorageHarness): Promise<void>
}

/** A case: opens a store, runs the body, disposes of the store whatever happens. */
export const area =
  (area: string) =>
  (name: string, body: (subject: StorageUnderTest) => Promise<void>): StorageCase => ({
    area,
    name: `${area}: ${name}`,
    async run(harness) {
      const subject = await harness.open()
      try {
        await body(subject)
      } finally {
        await subject.dispose()
      }
    },
  })
