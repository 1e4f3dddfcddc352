/** A step of an adapter's schema; never edited after release. */
export interface Migration {
  readonly sql: string
  /** Whether code that does not know this step may go on reading and writing beside code that does. */
  readonly bearsOlderCode: boolean
}

/**
 * The oldest code that may run on a schema which has seen all of `migrations`, by how many of them it knows. A schema is stored with
 * this number, for the code that it concerns was written before it.
 */
export const oldestCode = (migrations: readonly Migration[]): number =>
  migrations.findLastIndex(({ bearsOlderCode }) => !bearsOlderCode) + 1
