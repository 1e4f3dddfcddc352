import { createHash } from 'node:crypto'
import type { Migration } from '@matchyard/core/ports'
import { initial } from './0001-initial'

/**
 * All migrations, in the order in which they run. The number of a file's schema is the number of migrations that the
 * file has run.
 */
export const MIGRATIONS: readonly Migration[] = [{ sql: initial, bearsOlderCode: false }]

/**
 * Hash of the first schema. It identifies files of another first schema, because the schema is edited in place until
 * version 0.1 is released.
 */
export const ORIGIN = createHash('sha256').update(initial).digest('hex').slice(0, 16)
