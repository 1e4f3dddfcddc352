import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMatchyard, type Matchyard } from '@matchyard/core'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@matchyard/core/domain'
import { HISTORY_STEP_NAMES, HISTORY_STEPS, historyPlaceAt, type Storage } from '@matchyard/core/ports'
import { postgresStorage } from '@matchyard/storage-postgres'
import { startServer } from '@matchyard/storage-postgres/testing'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { wantedStorages } from '../ratings/arena'
import { busyMinute } from './busy-minute'

/**
 * `npm run bench -- history [sqlite] [postgres]`: 30 days of 50 queues, which the roll-up of the service sums under a fake clock, minute by
 * minute. Prints the rows of each step, the bytes, the processor time of the roll-up, and the time of charts.
 */
const DAYS = Number(process.env.BENCH_DAYS ?? 30)
const QUEUES = Number(process.env.BENCH_QUEUES ?? 50)
/** Minutes between two runs of the roll-up; the service runs it each minute. */
const EVERY = Number(process.env.BENCH_EVERY ?? 1)
const CHARTS = 20

interface Ground {
  readonly storage: Storage
  /** Returns the bytes of the database; undefined where they are not measured. */
  readonly bytes: () => Promise<number | undefined>
  readonly end: () => Promise<void>
}

async function onSqlite(): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'matchyard-history-'))
  const path = join(folder, 'bench.db')
  return {
    storage: sqliteStorage({ path, synchronous: 'normal' }),
    bytes: async () => (await stat(path)).size,
    end: () => rm(folder, { recursive: true, force: true }),
  }
}

async function onPostgres(): Promise<Ground> {
  const server = await startServer(['fsync=off', 'shared_buffers=256MB', 'max_wal_size=4GB'])
  return {
    storage: postgresStorage({ url: server.url }),
    bytes: async () => undefined,
    end: () => server.stop(),
  }
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

async function fill(matchyard: Matchyard, storage: Storage, clock: FakeClock, projectId: string) {
  const spent = { counting: 0, rolling: 0 }
  const none = { checks: [], writes: [], counters: [], events: [], jobs: [] }
  for (let minute = 0; minute < DAYS * 24 * 60; minute++) {
    clock.advance(MINUTE_MS)
    const history = busyMinute(projectId, QUEUES, clock.now())
    const before = cpuMs()
    await storage.commit({ id: `cmt_${minute}`, at: clock.now(), ...none, history })
    const counted = cpuMs()
    if (minute % EVERY === 0) await matchyard.worker.runDueJobs()
    spent.counting += counted - before
    spent.rolling += cpuMs() - counted
    if (minute % (24 * 60) === 0) console.log(`  day ${minute / (24 * 60)}`)
  }
  return spent
}

/** Returns the median and the longest time of a chart in milliseconds. */
async function chart(read: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  for (let run = 0; run < CHARTS; run++) {
    const start = performance.now()
    await read()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return `median ${(times[CHARTS / 2] ?? 0).toFixed(1)} ms, longest ${(times.at(-1) ?? 0).toFixed(1)} ms`
}

async function count(storage: Storage, step: number, before: number): Promise<number> {
  let rows = 0
  for (let after = historyPlaceAt(0); ; ) {
    const page = await storage.history.rows(step, after, before, 10_000)
    const last = page.at(-1)
    rows += page.length
    if (last === undefined) return rows
    after = last
  }
}

async function measure(name: 'sqlite' | 'postgres'): Promise<void> {
  const { storage, bytes, end } = await (name === 'sqlite' ? onSqlite() : onPostgres())
  const clock = new FakeClock()
  const matchyard = createMatchyard({ ...fakePlatform({ clock }), storage })
  await matchyard.open()
  try {
    console.log(`${name}: ${DAYS} days of ${QUEUES} queues`)
    const { id: projectId } = await matchyard.projects.ensure({ name: 'Bench' })
    const { counting, rolling } = await fill(matchyard, storage, clock, projectId)
    const minutes = DAYS * 24 * 60
    console.log(
      `  roll-up ${(rolling / minutes).toFixed(1)} ms of CPU a minute, counting ${(counting / minutes).toFixed(1)} ms`,
    )
    const now = clock.now()
    for (const step of HISTORY_STEP_NAMES)
      console.log(`  ${step}: ${await count(storage, HISTORY_STEPS[step], now + DAY_MS)} rows`)
    const size = await bytes()
    if (size !== undefined) console.log(`  ${(size / 1_024 / 1_024).toFixed(1)} MiB`)
    const week = { projectId, from: now - 7 * DAY_MS, to: now }
    const all = ['searching', 'waits', 'matches', 'exits', 'crashes', 'cost'] as const
    const charts = {
      '7 days, one queue, waits': () => matchyard.history.read({ ...week, series: ['waits'], queueId: 'q0' }),
      '7 days, one queue, all series': () => matchyard.history.read({ ...week, series: all, queueId: 'q0' }),
      '7 days, whole project, waits': () => matchyard.history.read({ ...week, series: ['waits'] }),
      '7 days, whole project, all series': () => matchyard.history.read({ ...week, series: all }),
      '8 hours by the minute, one queue, waits': () =>
        matchyard.history.read({ projectId, from: now - 8 * HOUR_MS, to: now, series: ['waits'], queueId: 'q0' }),
    }
    for (const [title, read] of Object.entries(charts)) console.log(`  ${title}: ${await chart(read)}`)
  } finally {
    await matchyard.stop()
    await storage.close()
    await end()
  }
}

for (const name of wantedStorages()) await measure(name)
