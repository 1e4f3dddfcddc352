import { createHash } from 'node:crypto'
import type { Migration } from '@matchyard/core/ports'
import { initial } from './0001-initial'

/** Applied in order; the number of a schema is how many of them a file has seen. */
export const MIGRATIONS: readonly Migration[] = [{ sql: initial, bearsOlderCode: false }]

/** Tells files that were made by another first schema, which is edited in place until version 0.1 is released. */
export const ORIGIN = createHash('sha256').update(initial).digest('hex').slice(0, 16)
