import assert from 'node:assert/strict'
import { type JsonObject, LOBBY_STATUSES, type Lobby, type SettingsFilter } from '@matchyard/core'
import { LABELLED_LOOKED_AT, LOBBY_SORTS, type LobbyQuery, OPEN_LOOKED_AT, type Storage } from '@matchyard/core/ports'
import { apply, idsOf, next, put, remove, store } from './changes'
import { area } from './harness'
import { aLobby, PROJECT_ID, players } from './samples'

const it = area('browse')

const everything: LobbyQuery = {
  projectId: PROJECT_ID,
  includePrivate: true,
  sort: 'created_at_asc',
  limit: 100,
  offset: 0,
}
const browse = (storage: Storage, query: Partial<LobbyQuery> = {}) =>
  storage.lobbies.browse({ ...everything, ...query })

const compareIds = (a: Lobby, b: Lobby) => (a.id < b.id ? -1 : 1)
const ORDERS: Record<LobbyQuery['sort'], (a: Lobby, b: Lobby) => number> = {
  created_at_asc: (a, b) => a.createdAt - b.createdAt || compareIds(a, b),
  created_at_desc: (a, b) => b.createdAt - a.createdAt || compareIds(b, a),
  player_count_desc: (a, b) => b.players.length - a.players.length || b.createdAt - a.createdAt || compareIds(b, a),
}

/**
 * Returns lobbies that differ in every field of a query. In every sort order, some of the lobbies have equal values.
 */
const variety = (): Lobby[] =>
  Array.from({ length: 80 }, (_, index) =>
    aLobby({
      queueId: ['ranked', 'casual'][index % 2] ?? 'ranked',
      status: LOBBY_STATUSES[index % 5] ?? 'waiting',
      region: ([null, 'iad', 'fra'] as const)[index % 3] ?? null,
      isPrivate: index % 7 < 2,
      players: players(...Array.from({ length: 1 + (index % 4) }, (_, seat) => `player ${seat}`)),
      createdAt: 1_000 + (index % 11),
    }),
  )

const matches = (lobby: Lobby, query: Partial<LobbyQuery>) =>
  (query.includePrivate !== false || !lobby.isPrivate) &&
  (query.queueId === undefined || lobby.queueId === query.queueId) &&
  (query.status === undefined || lobby.status === query.status) &&
  (query.region === undefined || lobby.region === query.region)

export const browseCases = [
  it('orders by age both ways and by players, ties by id', async ({ storage }) => {
    const lobbies = variety()
    await store(storage, 'lobby', ...lobbies)
    for (const sort of LOBBY_SORTS) {
      const { data } = await browse(storage, { sort })
      assert.deepEqual(idsOf(data), idsOf([...lobbies].sort(ORDERS[sort])), sort)
    }
  }),

  it('filters by queue, status, region and privacy, alone and together, in every order', async ({ storage }) => {
    const lobbies = variety()
    await store(storage, 'lobby', ...lobbies)
    for (const sort of LOBBY_SORTS) {
      for (const queueId of [undefined, 'casual', 'none'])
        for (const status of [undefined, 'waiting', 'in_game'] as const)
          for (const region of [undefined, 'fra', 'syd'] as const)
            for (const includePrivate of [true, false]) {
              const query = {
                sort,
                includePrivate,
                ...(queueId !== undefined && { queueId }),
                ...(status !== undefined && { status }),
                ...(region !== undefined && { region }),
              }
              const expected = lobbies.filter((lobby) => matches(lobby, query)).sort(ORDERS[sort])
              const { total, data } = await browse(storage, query)
              assert.deepEqual(idsOf(data), idsOf(expected), JSON.stringify(query))
              assert.equal(total, expected.length, JSON.stringify(query))
            }
    }
  }),

  it('gives windows that together are the whole list, each with the total', async ({ storage }) => {
    const lobbies = variety()
    await store(storage, 'lobby', ...lobbies)
    for (const sort of LOBBY_SORTS) {
      const seen: string[] = []
      for (let offset = 0; offset < 80; offset += 7) {
        const page = await browse(storage, { sort, limit: 7, offset })
        assert.equal(page.total, 80)
        seen.push(...idsOf(page.data))
      }
      assert.deepEqual(seen, idsOf([...lobbies].sort(ORDERS[sort])))
      assert.deepEqual(await browse(storage, { sort, offset: 80 }), { total: 80, data: [] })
    }
  }),

  it('goes on after a place, by whatever is asked for, also where what stood there is gone', async ({ storage }) => {
    const lobbies = variety()
    await store(storage, 'lobby', ...lobbies)
    const gone = [...lobbies].sort(ORDERS.created_at_desc)[13] ?? aLobby()
    const filters: Partial<LobbyQuery>[] = [
      {},
      { status: 'waiting' },
      { queueId: 'casual' },
      { queueId: 'ranked', status: 'in_game' },
      { region: 'fra', includePrivate: false },
      { playerId: 'player 2' },
      { playerId: 'player 1', status: 'in_queue' },
    ]
    const walk = async (filter: Partial<LobbyQuery>, limit: number, total: number) => {
      const found: Lobby[] = []
      for (;;) {
        const last = found.at(-1)
        const before = last && { createdAt: last.createdAt, id: last.id }
        const query = { ...filter, sort: 'created_at_desc', limit } as const
        const page = await browse(storage, before === undefined ? query : { ...query, before })
        assert.equal(page.total, total, JSON.stringify(filter))
        if (page.data.length === 0) return idsOf(found)
        found.push(...page.data)
        assert.ok(found.length <= lobbies.length, 'the same lobbies come again')
      }
    }
    for (const filter of filters) {
      const fits = (lobby: Lobby) =>
        matches(lobby, filter) &&
        (filter.playerId === undefined || lobby.players.some(({ playerId }) => playerId === filter.playerId))
      const expected = lobbies.filter(fits).sort(ORDERS.created_at_desc)
      for (const limit of [1, 7, 100]) {
        assert.deepEqual(await walk(filter, limit, expected.length), idsOf(expected), JSON.stringify([filter, limit]))
      }
    }
    await apply(storage, { writes: [remove('lobby', gone)] })
    const after = { sort: 'created_at_desc', before: { createdAt: gone.createdAt, id: gone.id } } as const
    const rest = [...lobbies].sort(ORDERS.created_at_desc).slice(14)
    assert.deepEqual(await browse(storage, after), { total: 79, data: rest })
  }),

  it('finds the lobbies that bar a player, as long as they do', async ({ storage }) => {
    const barring = aLobby({ banned: ['bob', 'cat'], players: players('ann') })
    const other = aLobby({ banned: ['cat'], players: players('bob'), isPrivate: true, createdAt: 900 })
    const elsewhere = aLobby({ projectId: 'prj_other', banned: ['bob'] })
    await store(storage, 'lobby', barring, other, elsewhere)
    const of = async (bannedId: string) => idsOf((await browse(storage, { bannedId, sort: 'created_at_desc' })).data)
    assert.deepEqual(await of('ann'), [])
    assert.deepEqual(await of('bob'), [barring.id])
    assert.deepEqual(await of('cat'), idsOf([barring, other].sort(ORDERS.created_at_desc)))
    await store(storage, 'lobby', next(barring, { banned: ['bob'] }))
    assert.deepEqual(await of('cat'), [other.id])
    await apply(storage, { writes: [remove('lobby', next(barring, { banned: ['bob'] }))] })
    assert.deepEqual(await of('bob'), [])
  }),

  it('follows every change of a lobby, in the list and in the total', async ({ storage }) => {
    let lobby = aLobby({ region: 'iad' })
    await store(storage, 'lobby', lobby, aLobby({ queueId: 'casual', status: 'in_game', createdAt: 900 }))
    const steps: Partial<Lobby>[] = [
      { status: 'in_queue' },
      { status: 'matched', matchId: 'mat_a' },
      { status: 'waiting', queueId: 'casual', matchId: null },
      { region: null },
      { region: 'fra', isPrivate: true },
      { isPrivate: false, players: players('ann', 'bob') },
      { name: 'only the body changes' },
    ]
    for (const step of steps) {
      const before = lobby
      lobby = next(lobby, step)
      await store(storage, 'lobby', lobby)
      for (const form of [before, lobby]) {
        const query = { queueId: form.queueId, status: form.status, includePrivate: form.isPrivate }
        const expected = matches(lobby, query) ? [lobby] : []
        assert.deepEqual(await browse(storage, query), { total: expected.length, data: expected })
        if (form.region === null) continue
        const here = form.region === lobby.region && (!lobby.isPrivate || form.isPrivate) ? [lobby] : []
        const inRegion = { region: form.region, includePrivate: form.isPrivate }
        assert.deepEqual(await browse(storage, inRegion), { total: here.length, data: here })
      }
      assert.equal((await browse(storage)).total, 2)
    }
    assert.deepEqual((await browse(storage, { sort: 'player_count_desc' })).data[0], lobby)
    await apply(storage, { writes: [remove('lobby', lobby)] })
    assert.equal((await browse(storage)).total, 1)
    assert.deepEqual(await browse(storage, { status: 'waiting' }), { total: 0, data: [] })
  }),

  it('shows the lobbies of one project only', async ({ storage }) => {
    const other = aLobby({ projectId: 'prj_b' })
    await store(storage, 'lobby', aLobby(), other)
    assert.deepEqual(await browse(storage, { projectId: 'prj_b' }), { total: 1, data: [other] })
    assert.deepEqual(await browse(storage, { projectId: 'prj_none' }), { total: 0, data: [] })
  }),

  it('counts the lobbies of a project, private ones too, through every change', async ({ storage }) => {
    const [open, closed] = [aLobby({ isPrivate: false }), aLobby({ isPrivate: true, status: 'in_game' })]
    assert.equal(await storage.lobbies.count(PROJECT_ID), 0)
    await store(storage, 'lobby', open, closed, aLobby({ projectId: 'prj_b' }))
    assert.equal(await storage.lobbies.count(PROJECT_ID), 2)
    const moved = next(open, { status: 'in_queue', queueId: 'casual' })
    await store(storage, 'lobby', moved)
    assert.equal(await storage.lobbies.count(PROJECT_ID), 2)
    await apply(storage, { writes: [remove('lobby', moved), put('lobby', aLobby())] })
    await apply(storage, { writes: [remove('lobby', closed)] })
    assert.deepEqual(await Promise.all([PROJECT_ID, 'prj_b', 'prj_none'].map(storage.lobbies.count)), [1, 1, 0])
  }),

  it('shows the lobbies in which a player is, private ones too, and follows who comes and goes', async ({
    storage,
  }) => {
    const other = aLobby({ projectId: 'prj_b', players: players('ann') })
    let first = aLobby({ players: players('ann', 'bob'), createdAt: 1_000, isPrivate: true })
    const second = aLobby({ players: players('ann'), createdAt: 2_000, status: 'in_game' })
    await store(storage, 'lobby', other, first, second, aLobby({ players: players('Ann', 'ann ', 'b\u0001"]') }))
    const of = (playerId: string, more: Partial<LobbyQuery> = {}) =>
      browse(storage, { playerId, sort: 'created_at_desc', ...more })
    assert.deepEqual(await of('ann'), { total: 2, data: [second, first] })
    assert.deepEqual(await of('ann', { limit: 1, offset: 1 }), { total: 2, data: [first] })
    assert.deepEqual(await of('ann', { limit: 1, offset: 2 }), { total: 2, data: [] })
    assert.deepEqual(await of('ann', { status: 'in_game' }), { total: 1, data: [second] })
    assert.deepEqual(await of('ann', { includePrivate: false }), { total: 1, data: [second] })
    assert.deepEqual((await of('b\u0001"]')).total, 1)
    first = next(first, { players: players('bob', 'cara') })
    await store(storage, 'lobby', first)
    assert.deepEqual(await of('ann'), { total: 1, data: [second] })
    assert.deepEqual(await of('cara'), { total: 1, data: [first] })
    await apply(storage, { writes: [remove('lobby', first)] })
    assert.deepEqual(await of('bob'), { total: 0, data: [] })
  }),

  it('filters by settings: every key as it is in JSON, none by half', async ({ storage }) => {
    const settings: JsonObject[] = [
      { mode: 'duel', level: 5 },
      { mode: 'duel', level: '5' },
      { mode: 'duel', level: null, open: true },
      { mode: { of: 'duel' }, level: [5] },
      { mode: 'Duel', 'a"b': "it's", long: 'x'.repeat(200) },
    ]
    const lobbies = settings.map((each) => aLobby({ settings: each }))
    await store(storage, 'lobby', ...lobbies, aLobby({ settings: { mode: 'duel' }, projectId: 'prj_b' }))
    const found = async (filter: SettingsFilter, more: Partial<LobbyQuery> = {}) => {
      const { total, data } = await browse(storage, { settings: filter, ...more })
      assert.equal(total, data.length)
      return data.map(({ id }) => lobbies.findIndex((lobby) => lobby.id === id))
    }
    assert.deepEqual(await found({ mode: 'duel' }), [0, 1, 2])
    assert.deepEqual(await found({ mode: 'duel', level: 5 }), [0])
    assert.deepEqual(await found({ level: '5', mode: 'duel' }), [1])
    assert.deepEqual(await found({ level: null, open: true, mode: 'duel' }), [2])
    assert.deepEqual(await found({ 'a"b': "it's", mode: 'Duel' }), [4])
    assert.deepEqual(await found({ long: 'x'.repeat(200) }), [])
    assert.deepEqual(await found({ mode: 'duel' }, { status: 'in_game' }), [])
    const changed = next(lobbies[0] ?? aLobby(), { settings: { mode: 'Duel' } })
    await store(storage, 'lobby', changed)
    assert.deepEqual(await found({ mode: 'duel' }), [1, 2])
    assert.deepEqual(await found({ mode: 'Duel' }), [0, 4])
    assert.deepEqual(await found({}), [0, 1, 2, 3, 4])
  }),

  it('knows the fullest open lobbies of a queue, also among those that fit a filter', async ({ storage }) => {
    const seats = (free: number, more: Partial<Lobby> = {}) =>
      aLobby({
        maxPlayers: 4,
        players: players(...['a', 'b', 'c', 'd'].slice(free)),
        settings: { mode: 'duel' },
        ...more,
      })
    const rare = seats(3, { settings: { mode: 'rare', map: 'dust' } })
    let fullest = seats(1, { createdAt: 2_000 })
    const older = seats(2, { createdAt: 1_000 })
    const younger = seats(2, { createdAt: 3_000 })
    const crowd = Array.from({ length: OPEN_LOOKED_AT }, (_, n) => seats(2, { settings: { n }, createdAt: 9_000 + n }))
    await store(storage, 'lobby', rare, fullest, younger, older, ...crowd)
    await store(
      storage,
      'lobby',
      seats(0),
      seats(1, { isPrivate: true }),
      seats(1, { status: 'in_queue' }),
      seats(1, { queueId: 'casual' }),
      seats(1, { projectId: 'prj_b' }),
    )
    const open = async (settings: SettingsFilter, limit = 3) =>
      idsOf(await storage.lobbies.fullestOpen({ projectId: PROJECT_ID, queueId: fullest.queueId, settings, limit }))
    assert.deepEqual(await open({}), idsOf([fullest, older, younger]))
    assert.deepEqual(await open({ mode: 'duel' }), idsOf([fullest, older, younger]))
    assert.deepEqual(await open({}, 1), idsOf([fullest]))
    assert.deepEqual(await open({ mode: 'rare' }), idsOf([rare]))
    assert.deepEqual(await open({ map: 'dust', mode: 'rare' }), idsOf([rare]))
    assert.deepEqual(await open({ map: 'dust', mode: 'duel' }), [])
    fullest = next(fullest, { players: players('a', 'b', 'c', 'e') })
    await store(storage, 'lobby', fullest)
    assert.deepEqual(await open({ mode: 'duel' }), idsOf([older, younger]))
    fullest = next(fullest, { players: players('b', 'c') })
    await store(storage, 'lobby', fullest)
    assert.deepEqual(await open({ mode: 'duel' }), idsOf([older, fullest, younger]))
    await apply(storage, { writes: [remove('lobby', older)] })
    assert.deepEqual(await open({ mode: 'duel' }, 1), idsOf([fullest]))
  }),

  it('goes on with the fullest open lobbies after a place', async ({ storage }) => {
    const of = (id: string, free: number, createdAt: number, mode = 'duel') =>
      aLobby({ id, createdAt, maxPlayers: 4, players: players(...['a', 'b', 'c'].slice(free - 1)), settings: { mode } })
    const lobbies = [
      of('lob_d', 1, 3_000),
      of('lob_b', 2, 1_000),
      of('lob_c', 2, 1_000),
      of('lob_a', 2, 2_000),
      of('lob_e', 3, 500),
      of('lob_f', 3, 600, 'rare'),
    ]
    await store(storage, 'lobby', ...lobbies.toReversed())
    const walk = async (settings: SettingsFilter, limit: number) => {
      const found: Lobby[] = []
      for (;;) {
        const last = found.at(-1)
        const after = last && { seats: 4 - last.players.length, createdAt: last.createdAt, id: last.id }
        const query = { projectId: PROJECT_ID, queueId: lobbies[0]?.queueId ?? '', settings, limit }
        const page = await storage.lobbies.fullestOpen(after === undefined ? query : { ...query, after })
        if (page.length === 0) return idsOf(found)
        found.push(...page)
        assert.ok(found.length <= lobbies.length, 'the same lobbies come again')
      }
    }
    for (const limit of [1, 2, 10]) {
      assert.deepEqual(await walk({}, limit), idsOf(lobbies))
      assert.deepEqual(await walk({ mode: 'duel' }, limit), idsOf(lobbies.slice(0, 5)))
      assert.deepEqual(await walk({ mode: 'rare' }, limit), ['lob_f'])
    }
  }),

  it('finds the searches of players in every queue, and no lobby that does not search', async ({ storage }) => {
    const of = (id: string, ...ids: string[]) => aLobby({ id, status: 'in_queue', players: players(...ids) })
    const both: Lobby = of('lob_a', 'ann', 'bob')
    const elsewhere = { ...of('lob_b', 'ann'), queueId: 'casual', isPrivate: true }
    const waiting: Lobby = { ...of('lob_c', 'ann'), status: 'waiting' }
    await store(
      storage,
      'lobby',
      both,
      elsewhere,
      waiting,
      { ...of('lob_d', 'ann'), projectId: 'prj_b' },
      of('lob_e', 'cid'),
    )
    const found = async (...ids: string[]) => {
      const searches = await storage.lobbies.searching(PROJECT_ID, ids)
      return searches.map(({ playerId, lobbyId }) => `${playerId} ${lobbyId}`).sort()
    }
    assert.deepEqual(await found('ann', 'bob', 'ann'), ['ann lob_a', 'ann lob_b', 'bob lob_a'])
    assert.deepEqual(await found('nobody'), [])
    assert.deepEqual(await found(), [])
    await store(storage, 'lobby', next(both, { players: players('bob') }), next(elsewhere, { status: 'matched' }))
    await store(storage, 'lobby', next(waiting, { status: 'in_queue' }))
    assert.deepEqual(await found('ann', 'bob'), ['ann lob_c', 'bob lob_a'])
  }),

  it('searches by settings among more than it looks at: by the rarest of them, and the newest or oldest', async ({
    storage,
  }) => {
    const count = LABELLED_LOOKED_AT + 20
    const lobbies = Array.from({ length: count }, (_, n) =>
      aLobby({
        id: `lob_${String(n).padStart(6, '0')}`,
        createdAt: 1_000 + n,
        settings: { mode: 'duel', ...(n % 700 === 3 ? { map: 'dust' } : {}) },
      }),
    )
    for (let from = 0; from < count; from += 500) await store(storage, 'lobby', ...lobbies.slice(from, from + 500))
    const found = async (settings: SettingsFilter, more: Partial<LobbyQuery> = {}) => {
      const { total, data } = await browse(storage, { settings, ...more })
      return { total, ids: idsOf(data) }
    }
    const rare = idsOf(lobbies.filter(({ settings }) => settings.map === 'dust'))
    assert.deepEqual(await found({ mode: 'duel', map: 'dust' }), { total: rare.length, ids: rare })
    const newest = await found({ mode: 'duel' }, { sort: 'created_at_desc', limit: 5, offset: 3 })
    assert.deepEqual(newest.ids, idsOf(lobbies.slice(-8, -3).reverse()))
    const oldest = await found({ mode: 'duel' }, { sort: 'created_at_asc', limit: 5 })
    assert.deepEqual(oldest.ids, idsOf(lobbies.slice(0, 5)))
    for (const { total } of [newest, oldest]) assert.ok(total >= LABELLED_LOOKED_AT && total <= count, String(total))
    const query = { projectId: PROJECT_ID, queueId: lobbies[0]?.queueId ?? '', limit: 4 }
    assert.deepEqual(await storage.lobbies.fullestOpen({ ...query, settings: { mode: 'duel', map: 'none' } }), [])
  }),

  it('keeps its totals when many commits arrive together and some conflict', async ({ storage, backDoor }) => {
    const lobbies = Array.from({ length: 60 }, () => aLobby())
    await store(storage, 'lobby', ...lobbies)
    const forms = lobbies.flatMap((lobby, index) => [
      put('lobby', next(lobby, { status: 'in_queue' })),
      index % 2 === 0 ? put('lobby', next(lobby, { status: 'starting' })) : remove('lobby', lobby),
    ])
    await Promise.all(forms.map((write, index) => storage.commit({ ...emptyCommit(index), writes: [write] })))
    const stored = (await backDoor.entities('lobby')).map(({ value }) => value)
    for (const status of LOBBY_STATUSES) {
      const expected = stored.filter((lobby) => lobby.status === status)
      const { total, data } = await browse(storage, { status })
      assert.deepEqual([total, data.length], [expected.length, expected.length], status)
    }
  }),
]

const emptyCommit = (index: number) => ({
  id: `browse total ${index}`,
  at: 1_000,
  checks: [],
  counters: [],
  events: [],
  jobs: [],
})
