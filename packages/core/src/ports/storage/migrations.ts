/** A step of an adapter's schema. Nobody edits a step after its release. */
export interface Migration {
  readonly sql: string
  /** Whether older code, which does not know this step, may continue to read and write at the same time as newer code. */
  readonly bearsOlderCode: boolean
}

/**
 * Returns the oldest code that may use a schema with all of `migrations`. The result is the number of migrations that this code must know.
 * The schema stores the number, because older code does not know the newer migrations.
 */
export const oldestCode = (migrations: readonly Migration[]): number =>
  migrations.findLastIndex(({ bearsOlderCode }) => !bearsOlderCode) + 1
