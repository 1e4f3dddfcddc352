import pg from 'pg'
import { expect, test } from 'vitest'
import { postgresStorage } from '../src/index'

const poolOf = (max: number) => new pg.Pool({ max })
const url = 'postgres://localhost/matchyard'

test.each([
  [{ schema: '' }, 'schema must be a text that is not empty'],
  [{ schema: 'a\0b' }, 'schema must not contain the character U+0000'],
  [{ schema: 'é'.repeat(27) }, 'schema has 54 bytes, and at most 53 are possible'],
  [{ schema: 'pg_mine' }, 'schema "pg_mine" is a name that PostgreSQL uses itself'],
  [{ schema: '$user' }, 'schema "$user" is a name that PostgreSQL uses itself'],
])('the schema %j is refused', (options, message) => {
  expect(() => postgresStorage({ url, ...options })).toThrow(message)
  expect(() => postgresStorage({ pool: poolOf(10), ...options })).toThrow(message)
})

test.each([
  [{ url, pool: poolOf(10) }, 'url does not go with pool'],
  [{ poolSize: 5, pool: poolOf(10) }, 'poolSize does not go with pool'],
  [{ pool: { max: 10 } }, 'pool must be a Pool of the package pg'],
  [{ pool: poolOf(2) }, 'the pool has at most 2 connections, and the storage needs 3, because one connection listens'],
  [{ pool: poolOf(1), listenUrl: url }, 'the pool has at most 1 connections, and the storage needs 2:'],
  [{ poll: poolOf(10) }, 'pool'],
  [{ pool: undefined }, 'give url, the address of the database, or pool'],
  [{ pool: null }, 'pool must be a Pool of the package pg'],
  [{}, 'give url, the address of the database, or pool'],
])('options %# are refused with what to do', (options, message) => {
  expect(() => postgresStorage(options as never)).toThrow(new RegExp(message))
})

test.each([
  { url, pool: undefined },
  { url: undefined, poolSize: undefined, pool: poolOf(10) },
])('options %# are accepted, because an option that is undefined counts as absent', async (options) => {
  const storage = postgresStorage(options as never)
  await storage.close()
})
