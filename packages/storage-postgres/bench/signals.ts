import { Client } from 'pg'
import { Connections } from '../src/connections/connections'
import { poolOf } from '../src/connections/pool-of'
import { withDefaults } from '../src/options'
import { Signals } from '../src/signals/signals'
import { median, perSecond } from './samples'

/**
 * Number of events that another connection receives. The benchmark compares one NOTIFY per transaction, from 16
 * connections, with the adapter's sender, which puts many signals into one NOTIFY. Sender and listener are in this
 * process. The measured time ends when the listener has received every event.
 */
const EVENTS = 30_000
const CONNECTIONS = 16
const RUNS = 3

export async function benchSignals(url: string): Promise<{ single: number; batched: number }> {
  const setUp = new Client(url)
  await setUp.connect()
  await setUp.query('create schema if not exists bench_signals')
  await setUp.end()
  const runs: { single: number; batched: number }[] = []
  for (let run = 0; run < RUNS; run++) runs.push({ single: await oneEach(url), batched: await batched(url) })
  return { single: median(runs.map((r) => r.single)), batched: median(runs.map((r) => r.batched)) }
}

const after = (start: number) => (EVENTS * 1_000) / (performance.now() - start)

async function oneEach(url: string): Promise<number> {
  const listener = new Client(url)
  await listener.connect()
  await listener.query('listen bench')
  let heard = 0
  const all = new Promise<void>((resolve) => listener.on('notification', () => ++heard === EVENTS && resolve()))
  const senders = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new Client(url)
      await client.connect()
      // The setting is that of the adapter: a signal need not be durable.
      await client.query('set synchronous_commit = off')
      return client
    }),
  )
  const start = performance.now()
  const text = `select pg_notify('bench', $1)`
  const free = [...senders]
  await perSecond(EVENTS, CONNECTIONS, async (n) => {
    const client = free.pop()
    if (client === undefined) throw new Error('as many callers as connections')
    await client.query({ name: 'notify', text, values: [`lobby lob_${n}`] })
    free.push(client)
  })
  await all
  const rate = after(start)
  await Promise.all([listener, ...senders].map((client) => client.end()))
  return rate
}

async function batched(url: string): Promise<number> {
  const settings = withDefaults({ url, schema: 'bench_signals' })
  const make = () => {
    const connections = new Connections(settings)
    return new Signals(settings, connections, poolOf(settings, connections))
  }
  const [here, there] = [make(), make()]
  await Promise.all([here.open(), there.open()])
  let heard = 0
  const all = new Promise<void>((resolve) => {
    there.subscribe(({ topic }) => topic === 'lobby' && ++heard === EVENTS && resolve())
  })
  const start = performance.now()
  // Emits 16 signals in each turn of the event loop, as if these commits had shared a batch.
  for (let n = 0; n < EVENTS; n += 16) {
    for (let k = n; k < Math.min(n + 16, EVENTS); k++) here.emit([{ topic: 'lobby', id: `lob_${k}` }])
    await new Promise((resolve) => setImmediate(resolve))
  }
  await all
  const rate = after(start)
  await Promise.all([here.close(), there.close()])
  return rate
}
