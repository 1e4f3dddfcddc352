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
 * Reads the stored data without the adapter: with the author's own connection and statements, or from the map in
 * memory. With this access, the suite finds adapters that keep data only in a cache.
 */
export interface StorageBackDoor {
  /** Returns every entity of a kind: its version column and its body. */
  entities<K extends EntityKind>(kind: K): Promise<{ id: string; version: number; value: Entities[K] }[]>
  uniqueKeys(): Promise<{ key: string; kind: string; id: string }[]>
  counters(): Promise<{ id: string; value: number }[]>
  /** Returns the stored stream of a lobby, in any order. */
  events(lobbyId: string): Promise<{ version: number; name: StreamEventName }[]>
  jobs(): Promise<JobSpec[]>
}

/** A store for one test case: empty, with its schema migrated to the current version. */
export interface StorageUnderTest {
  readonly storage: Storage
  readonly backDoor: StorageBackDoor
  /**
   * Returns another handle on the same data, as another node would open it. An adapter that supports only one node
   * returns `storage`.
   */
  another(): Promise<Storage>
  /** Closes every handle, opens the same data again and migrates it, as after a restart. */
  reopen(): Promise<Storage>
  /**
   * Sends a commit and prevents the commit from finishing until `during` is done. For PostgreSQL, another connection
   * can hold the row that the commit needs last, for example the commit's id in the log of commits. Where nothing can
   * run during a commit (one thread, one writer), the function runs `during` first and the commit after it.
   */
  holdOpen(commit: Commit, during: () => Promise<void>): Promise<CommitResult>
  /**
   * Copies the data, runs `during`, and then restores the copy, as when a backup is restored or when a failover
   * activates a replica that lagged behind. Returns a handle on the restored data: the first handle where handles stay
   * usable, otherwise a new handle.
   */
  goBack(during: () => Promise<void>): Promise<Storage>
  /**
   * Waits until every transaction that is open now on the same database server has ended, including transactions in
   * other databases. Only adapters with cursors that depend on such transactions need this function: PostgreSQL numbers
   * the transactions of all databases together.
   */
  settle?(): Promise<void>
  /** Closes every handle and removes the data. */
  dispose(): Promise<void>
}

/** Functions that the author of a storage adapter provides for the conformance suite. */
export interface StorageHarness {
  open(): Promise<StorageUnderTest>
}

/**
 * A guarantee of the storage port, as a test case. Register each case with your own test runner: `test(item.name, () =>
 * item.run(harness))`.
 */
export interface StorageCase {
  readonly area: string
  readonly name: string
  run(harness: StorageHarness): Promise<void>
}

/**
 * Returns a function that makes the test cases of one area of the suite. A case opens a store, runs the body, and then
 * always disposes of the store.
 */
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
