import { storageConformance } from '@matchyard/testkit/storage'
import pg from 'pg'
import { afterAll, inject, test } from 'vitest'
import { postgresHarness } from '../src/testing/harness'

/** A run tests every fourth test case, always the same ones. `npm run prove -- program-pool` tests all. */
const STRIDE = process.env.MATCHYARD_PROVE === undefined ? 4 : 1

const url = inject('databaseUrl')
const pool = new pg.Pool({ connectionString: url, max: 30 })
afterAll(() => pool.end())

for (const item of storageConformance().filter((_, index) => index % STRIDE === 0))
  test(item.name, () => item.run(postgresHarness(url, { pool })))
