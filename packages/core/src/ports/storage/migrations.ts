/** A step of an adapter's schema. A step is never edited after its release. */
export interface Migration {
  readonly sql: string
  /** Whether older code, which does not know this step, may continue to read and write beside newer code. */
  readonly bearsOlderCode: boolean
}

/**
 * Returns the oldest code that may run on a schema with all of `migrations`, as the number of migrations that the code must know. The
 * schema stores this number, because older code cannot compute it.
 */
export const oldestCode = (migrations: readonly Migration[]): number =>
  migrations.findLastIndex(({ bearsOlderCode }) => !bearsOlderCode) + 1
