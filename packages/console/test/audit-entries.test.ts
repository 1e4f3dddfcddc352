import type { AuditEntry } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import {
  type AuditPage,
  actionOf,
  auditRows,
  fieldsOf,
  READ,
  readAudit,
  textOfValue,
} from '../src/page/rooms/settings/audit-entries'

const NOW = Date.parse('2026-03-14T12:00:00.000Z')
const HOUR = 3_600_000

const entry = (hoursAgo: number, more: Partial<AuditEntry> = {}) =>
  ({
    entry_id: `aud_${hoursAgo}`,
    created_at: new Date(NOW - hoursAgo * HOUR).toISOString(),
    operation: 'queues.update',
    target: { kind: 'queue', id: 'ranked' },
    changes: [],
    ...more,
  }) as unknown as AuditEntry

/** Returns a service whose log has these pages, and counts the calls. */
function logOf(...pages: readonly (readonly AuditEntry[])[]) {
  const asked: (string | undefined)[] = []
  const page = async (cursor: string | undefined): Promise<AuditPage> => {
    asked.push(cursor)
    const place = Number(cursor ?? 0)
    const isLast = place + 1 >= pages.length
    return { data: pages[place] ?? [], next_cursor: isLast ? null : String(place + 1) }
  }
  return { page, asked }
}

it('reads on from a cursor, and ends at the first entry before the time range', async () => {
  const { page, asked } = logOf([entry(1), entry(2)], [entry(23), entry(25)], [entry(400)])
  const all = { kind: '', range: '' }
  expect((await readAudit(page, all, { now: NOW })).entries).toHaveLength(5)
  const day = await readAudit(page, { kind: '', range: '24h' }, { now: NOW })
  expect(day).toMatchObject({ cursor: null, entries: [{}, {}, {}] })
  asked.length = 0
  expect(await readAudit(page, all, { now: NOW, cursor: '2' })).toMatchObject({ cursor: null, entries: [{}] })
  expect(asked).toEqual(['2'])
})

it('reads a bounded number of pages, also when no entry passes the filter', async () => {
  const { page, asked } = logOf(...Array.from({ length: 50 }, (_, place) => [entry(place)]))
  const part = await readAudit(page, { kind: 'webhook', range: '' }, { now: NOW })
  expect(part).toEqual({ entries: [], cursor: String(READ.pages) })
  expect(asked).toHaveLength(READ.pages)
})

it('says the action in words, and never the values of a hidden field', () => {
  const change = (fields: readonly object[]) => ({
    changes: [{ kind: 'queue', id: 'ranked', change: 'changed', fields }],
  })
  const some = entry(
    1,
    change([
      { name: 'timeout_seconds', before: 60, after: null },
      { name: 'x', is_hidden: true },
    ]) as never,
  )
  expect(actionOf(some)).toBe('Changed queue')
  expect(actionOf({ ...some, operation: 'webhooks.newCall', target: { kind: 'webhook', id: 'w' } })).toBe(
    'New call webhook',
  )
  expect(fieldsOf(some).map(({ name, values }) => [name, values])).toEqual([
    ['timeout_seconds', ['60', '–']],
    ['x', undefined],
  ])
  expect(textOfValue('y'.repeat(5_000))).toHaveLength(201)
  expect(auditRows([some, entry(2)], () => 'Ann').map((row) => row.slice(1, 9))).toEqual([
    ['author', 'action', 'call', 'kind', 'object', 'field', 'before', 'after'],
    ['Ann', 'Changed queue', 'queues.update', 'queue', 'ranked', 'timeout_seconds', '60', ''],
    ['Ann', 'Changed queue', 'queues.update', 'queue', 'ranked', 'x', '(hidden)', '(hidden)'],
    ['Ann', 'Changed queue', 'queues.update', 'queue', 'ranked', '', '', ''],
  ])
})
