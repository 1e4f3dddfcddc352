import { storageConformance } from '@matchyard/testkit/storage'
import pg from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { postgresHarness } from '../src/testing/harness'

const url = inject('databaseUrl')

describe('on the pool of a program the storage keeps its promises', () => {
  const pool = new pg.Pool({ connectionString: url, max: 30 })
  afterAll(() => pool.end())
  for (const item of storageConformance()) test(item.name, () => item.run(postgresHarness(url, { pool })))
})
