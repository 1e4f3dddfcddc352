import { ENTITY_KINDS, type EntityKind, uniqueKey } from '@matchyard/core/ports'
import { Client } from 'pg'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { MAX_COMBINED } from '../src/statements/points'
import { aLobby, putLobby } from './support/changes'
import { aStore } from './support/store'

const url = inject('databaseUrl')

afterEach(() => void vi.restoreAllMocks())

/** Returns the names of the reading statements that a function sends. */
async function readsOf(run: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(Client.prototype, 'query')
  await run()
  return query.mock.calls
    .map(([sent]) => (sent as unknown as { readonly name?: string }).name ?? '')
    .filter((name) => name.startsWith('points_'))
}

test('reads of one turn share a statement, and each gets its own value', async () => {
  const storage = await aStore(url).migrated()
  const lobbies = [aLobby({ inviteCode: 'AAAAAA' }), aLobby({ id: 'lob_\0"é' })] as const
  for (const lobby of lobbies) expect(await storage.commit(putLobby(lobby))).toEqual({ ok: true })
  const ids = lobbies.map(({ id }) => id)
  let answers: unknown[] = []
  const statements = await readsOf(async () => {
    answers = await Promise.all([
      storage.get('lobby', lobbies[0].id),
      storage.get('lobby', lobbies[1].id),
      storage.getMany('lobby', ['nobody', ...ids.toReversed()]),
      storage.getMany('lobby', []),
      storage.get('match', lobbies[0].id),
      storage.find('lobby', uniqueKey.inviteCode('prj_a', 'AAAAAA')),
      storage.find('build', uniqueKey.inviteCode('prj_a', 'AAAAAA')),
    ])
  })
  expect(statements).toHaveLength(1)
  const [first, second, both, none, noMatch, found, noBuild] = answers
  expect([first, second, found]).toEqual([...lobbies, lobbies[0]])
  expect(both).toEqual(lobbies.toReversed())
  expect([none, noMatch, noBuild]).toEqual([[], undefined, undefined])
  // A caller that changes its object must not change the object of another caller.
  expect(found).not.toBe(first)
})

test('reads each kind by itself when the combinations are used up', async () => {
  const storage = await aStore(url).migrated()
  const lobby = aLobby()
  await storage.commit(putLobby(lobby))
  const readAll = (kinds: readonly EntityKind[]) =>
    Promise.all([storage.get('lobby', lobby.id), ...kinds.map((kind) => storage.get(kind, 'nothing'))])
  const others = ENTITY_KINDS.filter((kind) => kind !== 'lobby')
  const pairs = others.flatMap((one, index) => others.slice(index + 1).map((other) => [one, other] as const))
  expect(pairs.length).toBeGreaterThan(MAX_COMBINED)
  for (const pair of pairs) expect((await readAll(pair))[0]).toEqual(lobby)
  expect(await readsOf(() => readAll(others.slice(0, 3)))).toHaveLength(4)
})

test.each(['rename column body to other', 'rename to gone'])(
  'a read that the database refuses fails alone: %s',
  async (change) => {
    const { door, schema, migrated } = aStore(url)
    const storage = await migrated()
    const lobby = aLobby()
    await storage.commit(putLobby(lobby))
    await door.query(`alter table ${schema}.cooldown ${change}`)
    const [read, refused] = await Promise.allSettled([storage.get('lobby', lobby.id), storage.get('cooldown', 'x')])
    expect(read).toEqual({ status: 'fulfilled', value: lobby })
    expect(refused.status).toBe('rejected')
  },
)
