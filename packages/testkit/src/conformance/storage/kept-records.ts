import assert from 'node:assert/strict'
import { HOUR_MS } from '@matchyard/core/domain'
import { type IdempotencyRecord, KEPT_RECORDS, partsOf, recordBytes, type Storage } from '@matchyard/core/ports'
import { apply, idsOf, put } from './changes'
import { area, type StorageUnderTest } from './harness'
import { oneOfEach } from './samples'

const it = area('kept records')
const NOW = 100 * HOUR_MS
const { records, bytes, crowded, crowdedMs, overheadBytes } = KEPT_RECORDS

const BASE: IdempotencyRecord = { ...oneOfEach().idempotency, owner: 'key_a', group: null, bytes: 100 }

const found: string[] = []
let tried = 0

/** Returns an id whose idempotency record the storage puts into partition 7, for any owner and any group. */
function idOfPart(place: number): string {
  while (found.length <= place) {
    const id = `record_${tried++}`
    if (partsOf({ ...BASE, id, group: 'group' }).group === 'group/7') found.push(id)
  }
  return found[place] as string
}

/**
 * Returns idempotency records of one partition, each a millisecond younger than the record before it, unless `given`
 * sets `createdAt`. `from` is the number of the first id among the ids of the partition (see `idOfPart`).
 */
const ofOnePart = (count: number, given: Partial<IdempotencyRecord> = {}, from = 0): IdempotencyRecord[] =>
  Array.from({ length: count }, (_, n) => {
    const createdAt = given.createdAt ?? NOW + n
    return { ...BASE, ...given, id: idOfPart(from + n), createdAt, expiresAt: createdAt + 24 * HOUR_MS }
  })

/** Commits the records one after another, as the service does when calls arrive. */
async function keep(storage: Storage, all: readonly IdempotencyRecord[]): Promise<void> {
  for (const record of all) await apply(storage, { at: record.createdAt, writes: [put('idempotency', record)] })
}

const kept = async ({ backDoor }: StorageUnderTest) => idsOf(await backDoor.entities('idempotency')).sort()
const sorted = (all: readonly IdempotencyRecord[]) => idsOf(all).sort()

export const keptRecordCases = [
  it('of an owner are as many as there may be, the newest, without anybody pruning', async (subject) => {
    const mine = ofOnePart(records + 3)
    const theirs = ofOnePart(2, { owner: 'key_b' }, records + 3)
    await keep(subject.storage, [...theirs, ...mine])
    assert.deepEqual(await kept(subject), sorted([...theirs, ...mine.slice(3)]))
    for (const { id } of mine.slice(0, 3)) assert.equal(await subject.storage.get('idempotency', id), undefined)
  }),

  it('of an owner have no more bytes than they may, the newest always', async (subject) => {
    const each = bytes / 4
    const mine = ofOnePart(6, { bytes: each - overheadBytes })
    await keep(subject.storage, mine)
    assert.deepEqual(await kept(subject), sorted(mine.slice(2)))
    const [large] = ofOnePart(1, { bytes: 2 * bytes, createdAt: NOW + 100 }, 6)
    assert.ok(large && recordBytes(large) > bytes)
    await keep(subject.storage, [large])
    assert.deepEqual(await kept(subject), [large.id])
  }),

  it('of a group are bounded too, whoever their owners are', async (subject) => {
    const all = ofOnePart(records + 2, { group: 'prj_a' }).map((record, n) => ({ ...record, owner: `key_${n}` }))
    const others = ofOnePart(2, { group: 'prj_b', owner: 'key_other' }, records + 2)
    await keep(subject.storage, [...others, ...all])
    assert.deepEqual(await kept(subject), sorted([...others, ...all.slice(2)]))
  }),

  it('of an owner with many are kept for an hour, and the newest few as long as any', async (subject) => {
    const old = ofOnePart(crowded + 2)
    const late = ofOnePart(1, { createdAt: NOW + crowdedMs + 100 }, crowded + 2)
    await keep(subject.storage, old)
    assert.deepEqual(await kept(subject), sorted(old))
    await keep(subject.storage, late)
    assert.deepEqual(await kept(subject), sorted([...old.slice(3), ...late]))
  }),

  it('of nobody in particular are not bounded', async (subject) => {
    const all = ofOnePart(records + 3).map(({ owner: _, group: __, ...record }) => record)
    await keep(subject.storage, all)
    assert.deepEqual(await kept(subject), sorted(all))
  }),
]
