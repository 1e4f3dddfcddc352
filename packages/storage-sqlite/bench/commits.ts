import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Commit } from '@matchyard/core/ports'
import { sampleLobby } from '@matchyard/testkit'
import { sqliteStorage } from '../src/index'
import { SqliteDatabase } from '../src/library'

/**
 * Number of runs. The benchmark compares commits through the port with bare better-sqlite3 transactions of the same
 * durability (WAL, synchronous = FULL), in one run: one commit at a time, and 256 at once. The bare side writes the
 * same bytes (a lobby's row and its event) into two plain tables without checks. A ratio of 1 would mean that checks,
 * indexes, counts, jobs and the log cost nothing.
 */
const RUNS = 5
const SEQUENTIAL = 2_000
const TOGETHER = 256
const ROUNDS = 40

const creation = (n: number): Commit => {
  const value = sampleLobby(n)
  return {
    id: `com_${n}`,
    at: n,
    checks: [],
    writes: [{ kind: 'lobby', id: value.id, expected: 'absent', put: value }],
    counters: [],
    events: [{ lobbyId: value.id, version: 1, name: 'lobby_updated', at: n, lobby: value }],
    jobs: [],
  }
}

interface Side {
  one(n: number): Promise<void> | void
  many(from: number, count: number): Promise<void> | void
  close(): Promise<void> | void
}

function bare(path: string): Side {
  const db = new SqliteDatabase(path)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.exec(`create table lobby (id text primary key, body text not null);
           create table event (lobby_id text not null, version integer not null, body text not null)`)
  const insertLobby = db.prepare('insert into lobby values (?, ?)')
  const insertEvent = db.prepare('insert into event values (?, ?, ?)')
  const write = (n: number) => {
    const value = sampleLobby(n)
    const body = JSON.stringify(value)
    insertLobby.run(value.id, body)
    insertEvent.run(value.id, 1, body)
  }
  const writeMany = (from: number, count: number) => {
    for (let n = from; n < from + count; n++) write(n)
  }
  const one = db.transaction(write)
  const many = db.transaction(writeMany)
  return {
    one: (n) => one.immediate(n),
    many: (from, count) => many.immediate(from, count),
    close: () => void db.close(),
  }
}

async function port(path: string): Promise<Side> {
  const storage = sqliteStorage({ path })
  await storage.migrate()
  const one = async (n: number) => {
    const { ok } = await storage.commit(creation(n))
    if (!ok) throw new Error('a benchmark commit was refused')
  }
  return {
    one,
    many: async (from, count) => void (await Promise.all(Array.from({ length: count }, (_, n) => one(from + n)))),
    close: () => storage.close(),
  }
}

interface Measured {
  readonly sequential: number
  readonly together: number
  /** Microseconds of processor time of all threads per commit, when 256 commits run at once. */
  readonly micros: number
}

/** Measures commits per second: one at a time, and 256 at once. */
async function measure(side: Side): Promise<Measured> {
  let n = 0
  const start = performance.now()
  for (; n < SEQUENTIAL; n++) await side.one(n)
  const middle = performance.now()
  const before = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++, n += TOGETHER) await side.many(n, TOGETHER)
  const end = performance.now()
  const { user, system } = process.cpuUsage(before)
  await side.close()
  return {
    sequential: (SEQUENTIAL * 1_000) / (middle - start),
    together: (ROUNDS * TOGETHER * 1_000) / (end - middle),
    micros: (user + system) / (ROUNDS * TOGETHER),
  }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

const folder = await mkdtemp(join(tmpdir(), 'matchyard-bench-'))
const runs: { bare: Measured; port: Measured }[] = []
try {
  // The two sides run alternately, so that other work of the machine affects both sides.
  for (let run = 0; run < RUNS; run++) {
    runs.push({
      bare: await measure(bare(join(folder, `bare-${run}.db`))),
      port: await measure(await port(join(folder, `port-${run}.db`))),
    })
  }
} finally {
  await rm(folder, { recursive: true })
}

const figure = (side: 'bare' | 'port', kind: keyof Measured) => median(runs.map((run) => run[side][kind]))
const ratioOf = (kind: keyof Measured) => median(runs.map((run) => run.port[kind] / run.bare[kind]))

// Output for `npm run bench -- service`, which shows the result as a row of its table.
if (process.argv.includes('--json')) {
  const sides = { port: figure('port', 'together'), bare: figure('bare', 'together') }
  const micros = { portMicros: figure('port', 'micros'), bareMicros: figure('bare', 'micros') }
  process.stdout.write(
    JSON.stringify({ ...sides, ...micros, ratio: ratioOf('together'), byCpu: 1 / ratioOf('micros') }),
  )
} else {
  for (const kind of ['sequential', 'together'] as const) {
    const name = kind === 'sequential' ? 'one at a time' : `${TOGETHER} together`
    const line = `bare ${Math.round(figure('bare', kind))}/s, port ${Math.round(figure('port', kind))}/s, ratio ${ratioOf(kind).toFixed(2)}`
    process.stdout.write(`${name.padEnd(14)} ${line} (median of ${RUNS})\n`)
  }
}
