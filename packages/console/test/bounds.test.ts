import type { AuditEntry } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import {
  firstOf,
  lastOf,
  MOST_LOBBY_VERSIONS,
  MOST_LOG_LINES,
  MOST_MARKS,
  MOST_VERSIONS,
  marksWithin,
} from '../src/page/data/bounded'
import { MOST_SHOWN, withOlder } from '../src/page/rooms/settings/audit-entries'

it('a chart has the newest 40 marks of its time', () => {
  const marks = Array.from({ length: 100 }, (_, n) => ({ at: 1_000 - n }))
  expect(MOST_MARKS).toBe(40)
  expect(marksWithin(marks, 0, 990).map(({ at }) => at)).toEqual(Array.from({ length: 40 }, (_, n) => 990 - n))
  expect(marksWithin(marks, 990, 995)).toHaveLength(6)
})

it('the page reads 100 versions of a queue for marks, and asks for no further page', async () => {
  let asked = 0
  async function* pages() {
    for (;;) yield ++asked
  }
  expect(await firstOf(pages(), MOST_VERSIONS)).toHaveLength(100)
  expect(asked).toBe(100)
})

it('the page keeps the newest 5,000 lines of a log and the newest 500 versions of a lobby', () => {
  const [lines, more] = [0, 1].map((part) =>
    Array.from({ length: MOST_LOG_LINES }, (_, n) => part * MOST_LOG_LINES + n),
  )
  const kept = lastOf(lines ?? [], more?.slice(0, 10) ?? [], MOST_LOG_LINES)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([5_000, 10, 5_009])
  expect(lastOf([1, 2], [3], 2)).toEqual([2, 3])
  expect(MOST_LOBBY_VERSIONS).toBe(500)
})

it('the audit log shows at most 2,000 entries, and then loads no older ones', () => {
  const entries = (count: number) => Array.from({ length: count }, (_, n) => ({ entry_id: `${n}` }) as AuditEntry)
  expect(withOlder(entries(100), { entries: entries(100), cursor: 'c' })).toMatchObject({ cursor: 'c' })
  const full = withOlder(entries(MOST_SHOWN - 1), { entries: entries(299), cursor: 'c' })
  expect([full.entries.length, full.cursor]).toEqual([2_000, null])
})
