import type { Lobby } from '@matchyard/core'
import { sampleLobby } from '@matchyard/testkit'
import { Pool } from 'pg'
import { postgresStorage } from '../src/index'
import { creation, median, owners, perSecond } from './samples'

/**
 * Number of connections of each side. The benchmark compares the creation of lobbies through the port with bare `pg`
 * inserts, in one run against one server. A bare insert writes one row (an id and the same body) in a transaction of
 * its own. The bare side checks nothing and has one index. A creation checks three rows and writes the lobby with its
 * invite code, its event, its job, its counts and the commit's id.
 */
const CONNECTIONS = 16
const CALLS = 12_000
const RUNS = 3

interface CreationFigures {
  readonly callers: number
  readonly bare: number
  readonly port: number
}

export async function benchCreation(url: string): Promise<CreationFigures[]> {
  const figures: CreationFigures[] = []
  const storage = postgresStorage({ url, schema: 'bench_creation', poolSize: CONNECTIONS })
  await storage.migrate()
  await storage.commit(owners())
  const pool = new Pool({ connectionString: url, max: CONNECTIONS })
  // When the server stops before the last connection has closed, the pool reports an error that must not end the
  // process.
  pool.on('error', () => {})
  await pool.query('create table bare (id text primary key, body text not null)')
  const text = 'insert into bare (id, body) values ($1, $2)'
  const insert = ({ id, ...rest }: Lobby) =>
    pool.query({ name: 'insert_bare', text, values: [id, JSON.stringify({ id, ...rest })] })
  const create = async (n: number) => {
    if (!(await storage.commit(creation(n))).ok) throw new Error('a benchmark commit was refused')
  }
  let from = 0
  for (const callers of [16, 64, 256]) {
    const runs: { bare: number; port: number }[] = []
    for (let run = 0; run <= RUNS; run++, from += CALLS) {
      const start = from
      const bare = await perSecond(CALLS, callers, (n) => insert(sampleLobby(start + n)))
      const port = await perSecond(CALLS, callers, (n) => create(start + n))
      // The first run only warms up both sides, so its result is dropped.
      if (run > 0) runs.push({ bare, port })
    }
    figures.push({ callers, bare: median(runs.map((r) => r.bare)), port: median(runs.map((r) => r.port)) })
  }
  await storage.close()
  await pool.end()
  return figures
}
