import { StorageUnavailable } from '@matchyard/core/ports'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { waitUntilBlockedBy } from '../src/testing/harness'
import { startProxy } from '../src/testing/proxy'
import { aProgram } from './support/program'

const url = inject('databaseUrl')

/** Returns a class of clients that calls `act` before it sends a statement that contains the given text. */
function clientsThat(text: string, act: () => void) {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config)
      const send = this.query.bind(this) as (...given: unknown[]) => unknown
      this.query = ((...given: [{ readonly text: string }]) => {
        if (given[0].text.includes(text)) act()
        return send(...given)
      }) as pg.Client['query']
    }
  }
}

/** Starts a network to the server, which is stopped when the test ends. */
async function aNetwork() {
  const network = await startProxy(url)
  onTestFinished(() => network.stop())
  return network
}

test('a connection that is lost at its first statement is an error of the call, and not of the process', async () => {
  const network = await aNetwork()
  let listeners = 0
  const Client = clientsThat('pg_postmaster_start_time', () => network.loseClients())
  const { pool, handle } = aProgram(url, { connectionString: network.url, Client })
  pool.once('acquire', (client) => {
    // Without another listener, this error would end the process.
    client.once('error', () => {
      listeners = client.listenerCount('error')
    })
  })
  await expect(handle().ping()).rejects.toBeInstanceOf(StorageUnavailable)
  expect(listeners).toBe(1)
  expect(pool.totalCount).toBe(0)
})

test.each(['discard temp', "set_config('application_name'"])(
  'a start whose network falls silent at "%s" is refused after the time for an answer',
  async (text) => {
    const network = await aNetwork()
    const Client = clientsThat(text, () => network.fallSilent())
    const { handle } = aProgram(url, { connectionString: network.url, connectionTimeoutMillis: 400, Client })
    const start = handle({ answerTimeoutMs: 400, connectTimeoutMs: 400 }).migrate()
    await expect(start).rejects.toBeInstanceOf(StorageUnavailable)
  },
)

test('two calls of close at once both resolve when the connection of a running call is returned', async () => {
  const { door, pool, migrated } = aProgram(url)
  const storage = await migrated()
  const holder = await door.connect()
  await holder.query('begin; lock table lobby')
  const answer = storage.get('lobby', 'lob_a')
  await waitUntilBlockedBy(door, holder)
  const inUse = [1, 2].map(async () => {
    await storage.close()
    return pool.totalCount - pool.idleCount
  })
  await holder.end()
  expect(await Promise.all(inUse)).toEqual([0, 0])
  expect(await answer).toBeUndefined()
})
