import { createHash } from 'node:crypto'
import type { Migration } from '@matchyard/core/ports'
import { initial } from './0001-initial'

/** All migrations, in order. The version of a schema is the number of migrations that it has run. */
export const MIGRATIONS: readonly Migration[] = [{ sql: initial, bearsOlderCode: false }]

/**
 * Hash of the first migration. It identifies schemas of another first migration, because the first migration is edited
 * in place until version 0.1 is released.
 */
export const ORIGIN = createHash('sha256').update(initial).digest('hex').slice(0, 16)
