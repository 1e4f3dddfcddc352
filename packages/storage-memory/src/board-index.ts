import type { Standing } from '@matchyard/core'
import { type BoardQuery, boardPlace, boardRanges, rangesOfStanding } from '@matchyard/core/ports'
import { byText } from './lobby-index'
import type { MemoryData } from './memory-data'
import { merged, type Order, SortedList } from './sorted-list'

interface Entry {
  readonly id: string
  readonly place: string
  /** Names of the ranges that list the standing. */
  readonly ranges: readonly string[]
}

const byPlace: Order<Entry> = (a, b) => byText(a.place, b.place) || byText(a.id, b.id)

/**
 * Standings in the order of the leaderboards, by range. A query therefore reads only its page. The first query builds the index from the
 * stored rows, and every commit updates it from then on.
 */
export class BoardIndex {
  private readonly entries = new Map<string, Entry>()
  private readonly ranges = new Map<string, SortedList<Entry>>()

  constructor(standings: Iterable<Standing>) {
    for (const standing of standings) this.put(standing)
  }

  put(standing: Standing): void {
    this.delete(standing.id)
    const found = rangesOfStanding(standing)
    if (found === null) return
    const ranges = found.level === null ? [found.tier] : [found.level, found.tier]
    const entry = { id: standing.id, place: boardPlace(standing), ranges }
    this.entries.set(entry.id, entry)
    for (const name of ranges) {
      const list = this.ranges.get(name) ?? new SortedList(byPlace)
      this.ranges.set(name, list)
      list.add(entry)
    }
  }

  delete(id: string): void {
    const entry = this.entries.get(id)
    if (entry === undefined) return
    this.entries.delete(id)
    for (const name of entry.ranges) {
      const list = this.ranges.get(name)
      list?.delete(entry)
      if (list?.size === 0) this.ranges.delete(name)
    }
  }

  /** Returns the ids of the standings of a leaderboard after a place, the nearest first. */
  after(board: BoardQuery, place: string, limit: number): string[] {
    const lists = this.listsOf(board).map((list) => list.values((entry) => entry.place > place))
    return idsOf(merged(lists, byPlace), limit)
  }

  /** Returns the ids of the standings of a leaderboard before a place, the nearest first. */
  before(board: BoardQuery, place: string, limit: number): string[] {
    const lists = this.listsOf(board).map((list) => list.backwards((entry) => entry.place < place))
    return idsOf(
      merged(lists, (a, b) => byPlace(b, a)),
      limit,
    )
  }

  /** Returns the number of standings of a leaderboard after one place and before another. */
  countBetween(board: BoardQuery, after: string, place: string): number {
    const counts = this.listsOf(board).map(
      (list) => list.countBefore((entry) => entry.place >= place) - list.countBefore((entry) => entry.place > after),
    )
    return counts.reduce((sum, count) => sum + Math.max(0, count), 0)
  }

  private listsOf(board: BoardQuery): SortedList<Entry>[] {
    const { levels, tiers } = boardRanges(board)
    return [...levels, ...tiers].flatMap((name) => this.ranges.get(name) ?? [])
  }
}

function idsOf(entries: Iterable<Entry>, limit: number): string[] {
  const ids: string[] = []
  for (const { id } of entries) {
    if (ids.length === limit) break
    ids.push(id)
  }
  return ids
}

/** Index of each map of stored standings. A store that was set back to a copy has another map, and therefore another index. */
const INDEXES = new WeakMap<object, BoardIndex>()

export function boardIndexOf(data: MemoryData): BoardIndex {
  const standings = data.entities.get('standing')
  if (standings === undefined) return new BoardIndex([])
  let index = INDEXES.get(standings)
  if (index === undefined) {
    index = new BoardIndex([...standings.values()].map(({ value }) => value as Standing))
    INDEXES.set(standings, index)
  }
  return index
}

/** Updates the index after a standing was stored, or removed, if the index has been built. */
export function noteStanding(data: MemoryData, id: string, standing: Standing | undefined): void {
  const standings = data.entities.get('standing')
  const index = standings && INDEXES.get(standings)
  if (standing === undefined) index?.delete(id)
  else index?.put(standing)
}
