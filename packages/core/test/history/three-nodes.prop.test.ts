import { createMatchyard, type Matchyard } from '@matchyard/core'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  addedHistory,
  HISTORY_STEP_NAMES,
  HISTORY_STEPS,
  type HistoryCell,
  historyPlaceAt,
  minuteCell,
  OutcomeUnknown,
  type Storage,
  StorageUnavailable,
  WHOLE_PROJECT,
} from '../../src/ports/storage/index'
import { DAY_MS, MINUTE_MS } from '../../src/shared/time'

/** Node that dies at a commit: before the storage applies it, or after. */
class Node {
  private fatal: { left: number; isApplied: boolean } | undefined
  private isDead = false
  readonly matchyard: Matchyard
  /** Number of refusals that this node has counted and the storage has not. They are lost when the node dies. */
  unwritten = 0

  constructor(storage: Storage, clock: FakeClock, nodeId: string, seed: number) {
    const commit: Storage['commit'] = async (given) => {
      this.refuseDead()
      if (this.fatal === undefined || given.history === undefined || this.fatal.left-- > 0) {
        this.unwritten -= refusalsIn(minutesOf(given.history))
        return storage.commit(given)
      }
      this.isDead = true
      if (this.fatal.isApplied) {
        this.unwritten -= refusalsIn(minutesOf(given.history))
        await storage.commit(given)
      }
      throw new OutcomeUnknown(given.id)
    }
    const find = async (id: string) => {
      this.refuseDead()
      return storage.commits.find(id)
    }
    this.matchyard = createMatchyard({
      ...fakePlatform({ clock, seed }),
      storage: { ...storage, commit, commits: { find } },
      nodeId,
    })
  }

  refuse(calls: number): void {
    for (let call = 0; call < calls; call++) this.matchyard.countRefusal('prj_a', 'LOBBY_FULL')
    this.unwritten += calls
  }

  dieAt(left: number, isApplied: boolean): void {
    this.fatal = { left, isApplied }
  }

  private refuseDead(): void {
    if (this.isDead) throw new StorageUnavailable('the node is dead')
  }
}

const minutesOf = (history: readonly HistoryCell[] = []) => history.filter(({ step }) => step === MINUTE_MS)
const refusalsIn = (history: readonly HistoryCell[]): number =>
  history.filter(({ series }) => series === 'refusals').reduce((sum, { count }) => sum + count, 0)

const step = fc.record({
  node: fc.nat(2),
  waitMs: fc.integer({ min: 1_000, max: 4 * MINUTE_MS }),
  counts: fc.array(fc.record({ queue: fc.nat(3), key: fc.nat(2), count: fc.integer({ min: 1, max: 9 }) }), {
    maxLength: 6,
  }),
  refused: fc.nat(3),
  death: fc.option(fc.record({ left: fc.nat(1), isApplied: fc.boolean() })),
})

it('the sums of three nodes equal what was counted, with crashes between any two commits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const clock = new FakeClock()
      const data = emptyMemoryData()
      const storage = memoryStorage({ data })
      let seed = 0
      const start = async (index: number): Promise<Node> => {
        const node = new Node(memoryStorage({ data }), clock, `node-${index}`, ++seed)
        await node.matchyard.open()
        return node
      }
      const nodes = [await start(0), await start(1), await start(2)]
      const counted: HistoryCell[] = []
      let refused = 0
      const run = async (index: number) => {
        await nodes[index]?.matchyard.worker.noteCounts().catch(() => {})
        await nodes[index]?.matchyard.worker.runDueJobs().catch(() => {})
      }
      for (const [number, { node, waitMs, counts, refused: calls, death }] of steps.entries()) {
        clock.advance(waitMs)
        const history = addedHistory(
          counts.map(({ queue, key, count }) =>
            minuteCell(clock.now(), {
              ...{ projectId: 'prj_a', queueId: `q${queue}`, series: 'exits', key: `${key}` },
              ...{ count, sum: 2 * count, most: count },
            }),
          ),
        )
        counted.push(...history)
        const none = { checks: [], writes: [], counters: [], events: [], jobs: [] }
        await storage.commit({ id: `cmt_${number}`, at: clock.now(), ...none, history })
        nodes[node]?.refuse(calls)
        refused += calls
        if (death !== null) nodes[node]?.dieAt(death.left, death.isApplied)
        await run(node)
        if (death === null) continue
        refused -= nodes[node]?.unwritten ?? 0
        nodes[node] = await start(node)
      }
      for (let minute = 0; minute < 6; minute++) {
        clock.advance(MINUTE_MS)
        await run(minute % 3)
      }
      for (const name of HISTORY_STEP_NAMES) {
        const length = HISTORY_STEPS[name]
        const rows = await storage.history.rows(length, historyPlaceAt(0), clock.now() + DAY_MS, 10_000)
        const ofQueues = counted.map((cell) => ({
          ...cell,
          step: length,
          slot: Math.floor(cell.slot / length) * length,
        }))
        const ofProject = name === '1m' ? [] : ofQueues.map((cell) => ({ ...cell, queueId: WHOLE_PROJECT }))
        const exits = rows.filter(({ series }) => series === 'exits')
        expect(exits, name).toEqual(addedHistory([...ofQueues, ...ofProject]))
        expect(refusalsIn(rows.filter(({ queueId }) => queueId !== WHOLE_PROJECT)), name).toBe(refused)
      }
    }),
    { numRuns: 10 },
  )
})
