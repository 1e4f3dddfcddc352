import assert from 'node:assert/strict'
import type { JsonObject } from '@matchyard/core'
import { apply, assertSameText, event, put, readEvents, store } from './changes'
import { claimJobs } from './claims'
import { area, type StorageCase } from './harness'
import { aLobby } from './samples'

const it = area('values')

/**
 * Returns a case that stores a settings object in the lobby's row, in the stream and in a job, reads it back, the row
 * also after a reopening, and compares the JSON text.
 */
const roundTrip = (name: string, settings: JsonObject): StorageCase =>
  it(`${name} come back as they were put`, async ({ storage, reopen }) => {
    const lobby = aLobby({ settings, players: [{ playerId: 'ann', joinedAt: 1, state: settings }] })
    await apply(storage, {
      writes: [put('lobby', lobby)],
      events: [event(lobby)],
      jobs: [{ id: 'job', kind: 'expire', runAt: 1, tenant: 'acc_a', payload: settings }],
    })
    assertSameText(await storage.get('lobby', lobby.id), lobby)
    assertSameText((await readEvents(storage, lobby.id, 0, 1))[0]?.lobby, lobby)
    assertSameText((await claimJobs(storage, { now: 1, limit: 1, leaseMs: 1 }))[0]?.payload, settings)
    assertSameText(await (await reopen()).get('lobby', lobby.id), lobby)
  })

export const valueCases = [
  roundTrip('keys in their order', { zebra: 1, alpha: 2, Zebra: 3, 'a key': 4, ü: 5, nested: { b: 1, a: 2 } }),
  roundTrip('nulls', { nothing: null, list: [null, null], nested: { nothing: null } }),
  roundTrip('empty objects, lists and texts', {
    object: {},
    list: [],
    text: '',
    nested: { object: {}, list: [[], {}] },
  }),
  roundTrip('texts of every script', {
    arabic: 'مرحبا',
    emoji: '👩‍👩‍👧‍👦🏳️‍🌈',
    'ключ 🔑': 'значение',
    combining: 'e\u0301 is not é',
    right: '\u202eabc',
  }),
  roundTrip('texts that other formats stumble over', {
    quotes: `'"\`;--\\ %s $1 :a @b ?`,
    controls: '\u0000\u0001\n\r\t\u007f\u0085',
    separators: '\u2028\u2029',
    'a "key"': '</script>',
    '': 'the empty key',
  }),
  roundTrip('numbers', {
    largest: Number.MAX_SAFE_INTEGER,
    smallest: Number.MIN_SAFE_INTEGER,
    huge: 1.7976931348623157e308,
    tiny: 5e-324,
    third: 1 / 3,
    sum: 0.1 + 0.2,
    whole: 1e21,
    zero: 0,
  }),
  roundTrip('texts that look like other types', { number: '1', bool: 'true', nothing: 'null', date: '2026-01-01' }),
  roundTrip('large values', { text: 'ä'.repeat(60_000), list: Array.from({ length: 2_000 }, (_, index) => index) }),

  it('are not shared: what the caller changes after a commit is not changed in the store', async ({ storage }) => {
    const settings = { map: 'dust' }
    const payload = { try: 1 }
    const lobby = aLobby({ settings })
    await apply(storage, {
      writes: [put('lobby', lobby)],
      events: [event(lobby)],
      jobs: [{ id: 'job', kind: 'expire', runAt: 1, tenant: 'acc_a', payload }],
    })
    settings.map = 'changed'
    payload.try = 2
    assert.deepEqual((await storage.get('lobby', lobby.id))?.settings, { map: 'dust' })
    assert.deepEqual((await readEvents(storage, lobby.id, 0, 1))[0]?.lobby.settings, { map: 'dust' })
    assert.deepEqual((await claimJobs(storage, { now: 1, limit: 1, leaseMs: 1 }))[0]?.payload, { try: 1 })
  }),

  it('are not shared: what a reader changes is not changed in the store', async ({ storage, backDoor }) => {
    const lobby = aLobby({ settings: { map: 'dust' } })
    await apply(storage, { writes: [put('lobby', lobby)], events: [event(lobby)] })
    const query = {
      projectId: lobby.projectId,
      includePrivate: true,
      sort: 'created_at_asc',
      limit: 9,
      offset: 0,
    } as const
    const reads = [
      await storage.get('lobby', lobby.id),
      ...(await storage.getMany('lobby', [lobby.id])),
      ...(await storage.lobbies.browse(query)).data,
      (await readEvents(storage, lobby.id, 0, 1))[0]?.lobby,
    ]
    assert.equal(reads.length, 4)
    for (const read of reads) {
      assert.ok(read)
      // A frozen value ignores this change.
      Reflect.set(read.settings, 'map', 'changed')
    }
    assert.deepEqual((await storage.get('lobby', lobby.id))?.settings, { map: 'dust' })
    assert.deepEqual((await storage.lobbies.browse(query)).data[0]?.settings, { map: 'dust' })
    assert.deepEqual((await readEvents(storage, lobby.id, 0, 1))[0]?.lobby.settings, { map: 'dust' })
    assert.deepEqual((await backDoor.entities('lobby'))[0]?.value.settings, { map: 'dust' })
  }),

  it('of ids may be any text', async ({ storage, backDoor }) => {
    const ids = [`it's "quoted"`, 'ключ/🔑', 'a%b_c', 'UPPER', 'upper', ' padded ']
    await store(storage, 'lobby', ...ids.map((id) => aLobby({ id })))
    for (const id of ids) assert.equal((await storage.get('lobby', id))?.id, id)
    assert.deepEqual(
      (await storage.getMany('lobby', ids)).map(({ id }) => id),
      ids,
    )
    assert.equal((await backDoor.entities('lobby')).length, ids.length)
  }),
]
