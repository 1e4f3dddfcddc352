import { storageConformance } from '@matchyard/testkit/storage'
import pg from 'pg'
import { afterAll, inject, test } from 'vitest'
import { postgresHarness } from '../src/testing/harness'

/**
 * Number of parts into which the test cases are divided. A run tests one part, by default another part each time. `npm
 * run prove -- program-pool` tests all.
 */
const PARTS = process.env.MATCHYARD_PROVE === undefined ? 4 : 1
const part = Number(process.env.MATCHYARD_SEED ?? Date.now()) % PARTS
if (PARTS > 1) console.log(`part ${part} of ${PARTS}; again with MATCHYARD_SEED=${part}`)

const url = inject('databaseUrl')
const pool = new pg.Pool({ connectionString: url, max: 30 })
afterAll(() => pool.end())

for (const item of storageConformance().filter((_, index) => index % PARTS === part))
  test(item.name, () => item.run(postgresHarness(url, { pool })))
