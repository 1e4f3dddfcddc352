import { FakeLogger } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import type { HistoryStep } from '../../src/catalog/history-series'
import {
  HISTORY_STEP_NAMES,
  HISTORY_STEPS,
  type HistoryCell,
  historyPlaceAt,
  minuteCell,
  type Storage,
  WHOLE_PROJECT,
} from '../../src/ports/storage/index'
import { HOUR_MS, MINUTE_MS } from '../../src/shared/time'
import { ROLLED_AT_ONCE, SETTLE_MS, SLICES_A_RUN } from '../../src/worker/roll-up'
import { END_KEYS_A_DAY, KEYS_A_DAY } from '../../src/worker/rolled-up'
import { type Service, service } from '../use-cases/service'

/** Returns a service, and its storage without the service. */
async function given(around?: Parameters<typeof service>[0], more: Parameters<typeof service>[1] = {}) {
  let storage: Storage | undefined
  const made = await service((real) => {
    storage ??= real
    return around?.(real) ?? {}
  }, more)
  if (storage === undefined) throw new Error('no storage')
  return { ...made, storage }
}

let commits = 0
/** Adds rows of the present minute, as the commits of other calls do. */
const add = (storage: Storage, at: number, history: readonly HistoryCell[]) =>
  storage.commit({
    ...{ id: `cmt_${++commits}`, at, checks: [], writes: [], counters: [], events: [], jobs: [] },
    history,
  })
const crash = ({ projectId, clock }: Service, key: string, count = 1): HistoryCell =>
  minuteCell(clock.now(), { projectId, queueId: '', series: 'crashes', key, count, sum: 0, most: 0 })

const rowsOf = (storage: Storage, step: HistoryStep, now: number, limit = 10_000) =>
  storage.history.rows(HISTORY_STEPS[step], historyPlaceAt(0), now + HOUR_MS, limit)
/** Returns what the rows count, without the sums over the queues. */
const total = (rows: readonly HistoryCell[]) =>
  rows.reduce((sum, { count, queueId }) => (queueId === WHOLE_PROJECT ? sum : sum + count), 0)

describe('the roll-up', () => {
  it('adds a minute to the longer steps once it is settled, and adds it once', async () => {
    const on = await given()
    const { matchyard, clock, storage } = on
    await add(storage, clock.now(), [crash(on, 'arena@1', 3)])
    const totals = async () => {
      await matchyard.worker.runDueJobs()
      return Promise.all(HISTORY_STEP_NAMES.map(async (name) => total(await rowsOf(storage, name, clock.now()))))
    }
    clock.advance(SETTLE_MS)
    expect(await totals()).toEqual([3, 0, 0, 0])
    clock.advance(MINUTE_MS)
    expect(await totals()).toEqual([3, 3, 3, 3])
    for (let minute = 0; minute < 5; minute++) {
      clock.advance(MINUTE_MS)
      expect(await totals()).toEqual([3, 3, 3, 3])
    }
  })

  it('writes nothing while nothing is counted and nobody searches', async () => {
    const written: string[] = []
    const { matchyard, clock } = await given((storage) => ({
      commit(commit) {
        if (commit.history !== undefined) written.push(commit.id)
        return storage.commit(commit)
      },
    }))
    for (let minute = 0; minute < 10; minute++) {
      clock.advance(MINUTE_MS)
      await matchyard.worker.runDueJobs()
    }
    expect(written).toEqual([])
  })

  it('samples each queue once a minute, whichever node runs it', async () => {
    const on = await given()
    const { matchyard, clock, storage, projectId } = on
    await matchyard.queues.create({
      projectId,
      queueId: 'duel',
      name: 'Duel',
      matchmaking: { teams: 2, playersPerTeam: 2 },
    })
    for (const playerId of ['ann', 'bob', 'cid']) {
      const { id: lobbyId } = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel' })
      await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
    }
    const other = await on.another({ nodeId: 'other' })
    clock.advance(MINUTE_MS)
    for (const node of [matchyard, other.matchyard, matchyard]) await node.worker.runDueJobs()
    const samples = (await rowsOf(storage, '1m', clock.now())).filter(({ series }) => series === 'searching')
    expect(samples).toMatchObject([{ projectId, queueId: 'duel', count: 1, sum: 3, most: 3 }])
  })

  it('goes on in slices after a pause, a second after one another, and loses nothing', async () => {
    const on = await given()
    const { matchyard, clock, storage } = on
    const rows = ROLLED_AT_ONCE * SLICES_A_RUN + 10
    const many = Array.from({ length: rows }, (_, index) => ({
      ...crash(on, ''),
      ...{ queueId: `q${index}`, series: 'matches' as const },
    }))
    await add(storage, clock.now(), many)
    clock.advance(10 * MINUTE_MS)
    const rolled = async () => total(await rowsOf(storage, '1h', clock.now(), rows + 2))
    for (let second = 0; second < 3; second++) {
      await matchyard.worker.runDueJobs()
      clock.advance(1_000)
    }
    expect(await rolled()).toBe(rows)
  })

  it('rolls up before the pruning removes minutes of days ago', async () => {
    const on = await given()
    const { matchyard, clock, storage } = on
    await add(storage, clock.now(), [crash(on, 'arena@1', 3)])
    clock.advance(3 * 24 * HOUR_MS)
    await matchyard.worker.runDueJobs()
    expect(await rowsOf(storage, '1m', clock.now())).toEqual([])
    expect(total(await rowsOf(storage, '1d', clock.now()))).toBe(3)
  })

  it('counts the minutes that are removed before they were rolled up, and logs them once', async () => {
    const logger = new FakeLogger()
    const lost = { ok: false, conflict: { kind: 'installation', id: 'history', on: 'version' } } as const
    const on = await given(
      (storage) => ({ commit: async (commit) => (commit.history === undefined ? storage.commit(commit) : lost) }),
      { logger },
    )
    const { matchyard, clock, storage } = on
    expect(matchyard.historyRowsDropped()).toBe(0)
    for (let outage = 0; outage < 2; outage++) {
      await add(storage, clock.now(), [crash(on, 'arena@1'), crash(on, 'arena@2')])
      clock.advance(3 * 24 * HOUR_MS)
      await matchyard.worker.runDueJobs()
    }
    expect(matchyard.historyRowsDropped()).toBe(4)
    expect(logger.lines.filter(({ message }) => message.includes('before they were rolled up'))).toMatchObject([
      { fields: { rows: 2 } },
    ])
  })

  it('keeps fifty build versions of a project and day, and counts the others together', async () => {
    const on = await given()
    const { matchyard, clock, storage } = on
    for (let minute = 0; minute < 2; minute++) {
      const versions = Array.from({ length: 30 }, (_, version) => crash(on, `arena@${100 * minute + version}`))
      await add(storage, clock.now(), [...versions, crash(on, 'arena@1', 5)].slice(minute === 0 ? 0 : 1))
      clock.advance(5 * MINUTE_MS)
      await matchyard.worker.runDueJobs()
    }
    const day = await rowsOf(storage, '1d', clock.now())
    expect(day.filter(({ queueId }) => queueId !== WHOLE_PROJECT)).toHaveLength(KEYS_A_DAY + 1)
    expect(total(day)).toBe(30 + 5 + 29 + 5)
    expect(day.find(({ key }) => key === 'other')?.count).toBe(9)
  })

  it('keeps two hundred pairs of a build version and a cause, and counts the others together', async () => {
    const on = await given()
    const { matchyard, clock, storage } = on
    const ends = Array.from({ length: END_KEYS_A_DAY + 20 }, (_, version): HistoryCell => {
      return { ...crash(on, `arena@${version}/server_failed`), series: 'ends' }
    })
    await add(storage, clock.now(), ends)
    clock.advance(5 * MINUTE_MS)
    await matchyard.worker.runDueJobs()
    const day = (await rowsOf(storage, '1d', clock.now())).filter(({ series }) => series === 'ends')
    expect(day.filter(({ queueId }) => queueId !== WHOLE_PROJECT)).toHaveLength(END_KEYS_A_DAY + 1)
    expect(day.find(({ key }) => key === 'other')?.count).toBe(20)
  })
})
