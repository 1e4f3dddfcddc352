import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { type Embedded, embed, openLobbies, spend } from '../embedded'
import { atMost, count, median, ROUNDS, type Row } from '../row'

const MANY = Number(process.env.BENCH_LOBBIES ?? 100_000)
const FEW = MANY / 10
const QUEUE = 'browsed'
const TARGET = 2
const WARM_UP = 20
/** Calls in one round. */
const BROWSES = 20

type Asked = Omit<Parameters<Embedded['matchyard']['lobbies']['browse']>[0], 'projectId' | 'backend'>

const QUESTIONS: Readonly<Record<string, Asked>> = {
  'all, first page': { sort: 'created_at_desc' },
  'all, offset 5,000': { sort: 'created_at_desc', offset: 5_000 },
  'queue, status, region, fullest, first page': {
    queueId: QUEUE,
    status: 'waiting',
    region: 'fra',
    sort: 'player_count_desc',
  },
  'queue, status, fullest, offset 5,000': {
    queueId: QUEUE,
    status: 'waiting',
    sort: 'player_count_desc',
    offset: 5_000,
  },
  'a setting, first page': { queueId: QUEUE, settings: { map: 'ice' } },
}

/** Compares the lobby browser with 100,000 lobbies and with 10,000, in CPU time of this process. */
export async function browsing(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-browse-'))
  try {
    return [
      ...(await browsed('memory', () => memoryStorage())),
      ...(await browsed('SQLite', (name) => sqliteStorage({ path: join(directory, `${name}.db`) }))),
    ]
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function browsed(name: string, storageOf: (name: string) => Storage): Promise<Row[]> {
  const [few, all] = [await filled(storageOf('few'), FEW), await filled(storageOf('many'), MANY)]
  const rows: Row[] = []
  for (const [question, asked] of Object.entries(QUESTIONS)) {
    const [beside, own]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      beside.push(await microsOf(few, asked))
      own.push(await microsOf(all, asked))
    }
    const ratio = median(own.map((micros, round) => micros / (beside[round] ?? Number.NaN)))
    rows.push({
      what: `browse ${name}, ${question}`,
      ours: `${median(own).toFixed(0)} µs at ${count(MANY)}`,
      beside: `${median(beside).toFixed(0)} µs at ${count(FEW)}`,
      ratio: ratio.toFixed(2),
      target: `≤ ${TARGET}`,
      met: atMost(TARGET, ratio),
    })
  }
  for (const { storage } of [few, all]) await storage.close()
  return rows
}

interface Filled extends Embedded {
  readonly storage: Storage
}

async function filled(storage: Storage, count: number): Promise<Filled> {
  await storage.migrate()
  const embedded = await embed(storage)
  const { matchyard, projectId } = embedded
  await matchyard.queues.create({ projectId, queueId: QUEUE, name: 'Browsed' })
  await openLobbies(embedded, QUEUE, count)
  const { total } = await matchyard.lobbies.browse({ projectId, backend: false, limit: 1 })
  if (total !== count) throw new Error(`${total} lobbies in place of ${count}`)
  for (const asked of Object.values(QUESTIONS)) await browses({ ...embedded, storage }, asked, WARM_UP)
  return { ...embedded, storage }
}

async function browses({ matchyard, projectId }: Filled, asked: Asked, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await matchyard.lobbies.browse({ projectId, backend: false, ...asked })
}

const microsOf = async (filled: Filled, asked: Asked) =>
  (await spend(() => browses(filled, asked, BROWSES))).cpuMicros / BROWSES
