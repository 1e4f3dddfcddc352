import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeLogger } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { MAX_COUNTED_REFUSALS } from '../../src/node/refusal-counts'
import {
  HISTORY_STEPS,
  type HistoryCell,
  historyPlaceAt,
  OutcomeUnknown,
  type Storage,
  WHOLE_PROJECT,
} from '../../src/ports/storage/index'
import { HOUR_MS, MINUTE_MS } from '../../src/shared/time'
import { COUNTED_AT_ONCE } from '../../src/worker/node-counts'
import { service, settled } from '../use-cases/service'

type Around = Parameters<typeof service>[0]

/** Returns a service, and its storage without the service. */
async function given(around?: Around, more: Parameters<typeof service>[1] = {}) {
  let storage: Storage | undefined
  const made = await service((real) => {
    storage ??= real
    return around?.(real) ?? {}
  }, more)
  if (storage === undefined) throw new Error('no storage')
  const real = storage
  const rows = async (series: HistoryCell['series']) =>
    (await real.history.rows(HISTORY_STEPS['1m'], historyPlaceAt(0), made.clock.now() + HOUR_MS, 20_000)).filter(
      (row) => row.series === series,
    )
  return { ...made, storage: real, rows }
}

/** Returns what the rows count, without the sums over the queues. */
const total = (rows: readonly HistoryCell[]) =>
  rows.reduce((sum, { count, queueId }) => (queueId === WHOLE_PROJECT ? sum : sum + count), 0)

describe('the counts of a node', () => {
  it('writes nothing for a refusal itself, and one commit for many of them', async () => {
    const written: string[] = []
    const { matchyard, projectId, rows } = await given((storage) => ({
      commit(commit) {
        if (commit.history !== undefined) written.push(commit.id)
        return storage.commit(commit)
      },
    }))
    await matchyard.worker.noteCounts()
    for (let call = 0; call < 500; call++) matchyard.countRefusal(projectId, 'LOBBY_FULL')
    matchyard.countRefusal(projectId, 'LOBBY_NOT_FOUND')
    expect(written).toEqual([])
    await matchyard.worker.noteCounts()
    await matchyard.worker.noteCounts()
    expect(written).toHaveLength(1)
    expect(await rows('refusals')).toMatchObject([
      { projectId, queueId: '', key: 'LOBBY_FULL', count: 500 },
      { projectId, queueId: '', key: 'LOBBY_NOT_FOUND', count: 1 },
    ])
  })

  it('counts each refusal once when the storage gives no answer, whether it was applied or not', async () => {
    let failing: 'applied' | 'refused' | undefined
    const { matchyard, projectId, clock, rows } = await given((storage) => ({
      async commit(commit) {
        if (failing === undefined) return storage.commit(commit)
        if (failing === 'applied') await storage.commit(commit)
        throw new OutcomeUnknown(commit.id)
      },
    }))
    let counted = 0
    for (const failure of ['applied', 'refused', undefined, 'applied', 'applied', undefined] as const) {
      failing = failure
      for (let call = 0; call < 3; call++) matchyard.countRefusal(projectId, 'LOBBY_FULL')
      counted += 3
      clock.advance(MINUTE_MS)
      await matchyard.worker.noteCounts().catch(() => {})
    }
    failing = undefined
    await matchyard.worker.noteCounts()
    await matchyard.worker.noteCounts()
    expect(total(await rows('refusals'))).toBe(counted)
  })

  it('adds the refusals of three nodes to the sums, each once, and a node that stops loses none', async () => {
    const on = await given()
    const { matchyard, projectId, clock, storage } = on
    const [second, third] = [await on.another({ nodeId: 'second' }), await on.another({ nodeId: 'third' })]
    const nodes = [matchyard, second.matchyard, third.matchyard]
    let counted = 0
    for (let minute = 0; minute < 12; minute++) {
      for (const [index, node] of nodes.entries()) {
        for (let call = 0; call <= index; call++)
          node.countRefusal(projectId, call === 0 ? 'LOBBY_FULL' : 'RATE_LIMITED')
        counted += index + 1
      }
      clock.advance(MINUTE_MS)
      for (const node of nodes) await node.worker.noteCounts()
      await nodes[minute % 3]?.worker.runDueJobs()
    }
    third.matchyard.countRefusal(projectId, 'LOBBY_FULL')
    await third.matchyard.worker.noteCounts()
    clock.advance(4 * MINUTE_MS)
    await matchyard.worker.runDueJobs()
    for (const name of ['1m', '5m', '1h', '1d'] as const) {
      const rows = await storage.history.rows(HISTORY_STEPS[name], historyPlaceAt(0), clock.now() + HOUR_MS, 1_000)
      expect(total(rows.filter(({ series }) => series === 'refusals')), name).toBe(counted + 1)
    }
    const { series } = await matchyard.history.read({ projectId, series: ['refusals'], step: '1h' })
    expect(series[0]?.points.at(-1)?.parts).toMatchObject({ RATE_LIMITED: expect.any(Number) })
  })

  it('adds the streams of all nodes, and each node once a minute', async () => {
    const on = await given()
    const { matchyard, projectId, clock, rows } = on
    const other = await on.another({ nodeId: 'other' })
    const feeds = [
      await matchyard.feed(projectId),
      await matchyard.feed(projectId),
      await other.matchyard.feed(projectId),
    ]
    clock.advance(MINUTE_MS)
    for (const node of [matchyard, other.matchyard, matchyard, other.matchyard]) await node.worker.noteCounts()
    expect(await rows('streams')).toMatchObject([{ projectId, queueId: '', key: 'backend', count: 2, sum: 3 }])
    for (const feed of feeds) feed.close()
    clock.advance(MINUTE_MS)
    await matchyard.worker.noteCounts()
    expect(await rows('streams')).toHaveLength(1)
    const { series } = await matchyard.history.read({ projectId, series: ['streams'], step: '1m' })
    expect(series[0]?.points).toMatchObject([{ value: 3, parts: { backend: 3 } }])
  })

  it('leaves out a sample that could not be written in its minute', async () => {
    let isDown = true
    const { matchyard, projectId, clock, rows } = await given((storage) => ({
      async commit(commit) {
        if (isDown && commit.history !== undefined) throw new OutcomeUnknown(commit.id)
        return storage.commit(commit)
      },
    }))
    await matchyard.feed(projectId)
    clock.advance(MINUTE_MS)
    await matchyard.worker.noteCounts().catch(() => {})
    isDown = false
    clock.advance(MINUTE_MS)
    await matchyard.worker.noteCounts()
    await matchyard.worker.noteCounts()
    expect(await rows('streams')).toMatchObject([{ count: 1, sum: 1 }])
  })

  it('counts ten thousand pairs of a project and a code, and logs what it leaves out', async () => {
    const logger = new FakeLogger()
    const { matchyard, rows } = await given(undefined, { logger })
    for (let project = 0; project < MAX_COUNTED_REFUSALS + 5; project++)
      matchyard.countRefusal(`prj_${project}`, 'LOBBY_FULL')
    matchyard.countRefusal('prj_0', 'LOBBY_FULL')
    await matchyard.worker.noteCounts()
    expect(total(await rows('refusals'))).toBe(MAX_COUNTED_REFUSALS + 1)
    expect(logger.lines.filter(({ message }) => message.includes('left out'))).toMatchObject([{ fields: { calls: 5 } }])
  })

  it('writes a thousand rows at once', async () => {
    const sizes: number[] = []
    const { matchyard } = await given((storage) => ({
      commit(commit) {
        if (commit.history !== undefined) sizes.push(commit.history.length)
        return storage.commit(commit)
      },
    }))
    for (let project = 0; project < COUNTED_AT_ONCE + 1; project++)
      matchyard.countRefusal(`prj_${project}`, 'LOBBY_FULL')
    await matchyard.worker.noteCounts()
    expect(sizes).toEqual([COUNTED_AT_ONCE, 1])
  })

  it('delays a stop by at most two seconds when the storage does not answer', async () => {
    const clock = new FakeClock()
    const around: Around = (storage) => ({
      commit: (commit) => (commit.history === undefined ? storage.commit(commit) : new Promise(() => {})),
    })
    const { matchyard, projectId } = await given(around, { clock, timers: clock })
    matchyard.countRefusal(projectId, 'LOBBY_FULL')
    let isStopped = false
    const stopped = matchyard.stop().then(() => {
      isStopped = true
    })
    await settled()
    expect(isStopped).toBe(false)
    clock.advance(2_000)
    await stopped
  })

  it('is written in the minute that has just ended, also by the loop of a node, and at its stop', async () => {
    const clock = new FakeClock()
    const { matchyard, projectId, rows, data } = await given(undefined, { clock, timers: clock })
    await matchyard.start()
    const minute = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS
    matchyard.countRefusal(projectId, 'LOBBY_FULL')
    clock.advance(MINUTE_MS)
    await settled()
    expect(await rows('refusals')).toMatchObject([{ slot: minute, count: 1 }])
    matchyard.countRefusal(projectId, 'LOBBY_FULL')
    await matchyard.stop()
    const later = memoryStorage({ data })
    const left = await later.history.rows(HISTORY_STEPS['1m'], historyPlaceAt(0), clock.now() + HOUR_MS, 100)
    expect(total(left)).toBe(2)
  })
})
