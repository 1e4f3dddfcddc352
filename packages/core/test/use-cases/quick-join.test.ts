import type { Lobby, Matchyard, QuickJoined, QuickJoinInput } from '@matchyard/core'
import type { OpenPlace, Storage } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { MAX_KEPT_BYTES } from '../../src/commit/outcome'
import { MAX_PASSED } from '../../src/use-cases/lobbies/seat-newcomers'
import { service } from './service'

async function arena(
  settings: { maxPlayers?: number; enabled?: boolean } = {},
  around?: (storage: Storage) => Partial<Storage>,
) {
  const given = await service(around)
  const { matchyard, projectId } = given
  await matchyard.queues.create({ projectId, queueId: 'open', name: 'Open', maxPlayers: 4, ...settings })
  const join = (playerId: string, more: Partial<QuickJoinInput> = {}, on: Matchyard = matchyard) =>
    on.lobbies.quickJoin({ projectId, queueId: 'open', playerId, ...more })
  const make = (playerId: string, more: object = {}) =>
    matchyard.lobbies.create({ projectId, queueId: 'open', playerId, ...more })
  const all = async () => (await matchyard.lobbies.browse({ projectId, backend: true, includePrivate: true })).data
  /** Creates a lobby of nearly the largest allowed size in bytes. */
  const large = async (name: string, seats = 1) => {
    const state = { filler: 'x'.repeat(16_000) }
    let lobby = await make(`${name}0`, { state, maxPlayers: 16 + seats })
    for (let n = 1; n < 16; n++)
      lobby = await matchyard.lobbies.join({ projectId, lobbyId: lobby.id, playerId: `${name}${n}`, state })
    return lobby
  }
  return { ...given, join, make, all, large }
}

const playersOf = ({ lobby }: QuickJoined) => lobby.players.map(({ playerId }) => playerId)

describe('a quick join', () => {
  it('makes a lobby where none has a seat, and the next one joins it', async () => {
    const { join, all } = await arena()
    const made = await join('ann', { filter: { mode: 'duel' }, state: { mmr: 5 } })
    expect(made).toMatchObject({
      made: true,
      lobby: { hostPlayerId: 'ann', settings: { mode: 'duel' }, maxPlayers: 4 },
    })
    expect(made.lobby.players[0]?.state).toEqual({ mmr: 5 })
    const joined = await join('bob', { filter: { mode: 'duel' } })
    expect(joined.made).toBe(false)
    expect(playersOf(joined)).toEqual(['ann', 'bob'])
    expect(await all()).toHaveLength(1)
  })

  it('takes the fullest lobby that fits, and none that is private, full or not waiting', async () => {
    const { matchyard, projectId, join, make } = await arena()
    const emptier = await make('a1')
    const fuller = await make('b1')
    await matchyard.lobbies.join({ projectId, lobbyId: fuller.id, playerId: 'b2' })
    await make('c1', { isPrivate: true })
    await make('d1', { maxPlayers: 1 })
    const started = await make('e1')
    await matchyard.lobbies.start({ projectId, lobbyId: started.id, playerId: 'e1' })
    expect((await join('x1')).lobby.id).toBe(fuller.id)
    expect((await join('x2')).lobby.id).toBe(fuller.id)
    expect((await join('x3')).lobby.id).toBe(emptier.id)
    expect(await join('x4', { filter: { mode: 'duel' } })).toMatchObject({ made: true })
  })

  it('finds a lobby that somebody made by hand, by any of its settings', async () => {
    const { join, make } = await arena()
    const lobby = await make('ann', { settings: { mode: 'duel', map: 'dust', level: 5 } })
    expect((await join('bob', { filter: { level: 5, mode: 'duel' } })).lobby.id).toBe(lobby.id)
    expect((await join('cid', { filter: { level: '5' } })).lobby.id).not.toBe(lobby.id)
  })

  it('does not make one where it is told not to', async () => {
    const { join, make, all } = await arena()
    await expect(join('ann', { create: false })).rejects.toMatchObject({ code: 'LOBBY_NOT_FOUND' })
    const lobby = await make('bob')
    expect((await join('ann', { create: false })).lobby.id).toBe(lobby.id)
    expect(await all()).toHaveLength(1)
  })

  it('is refused for a queue that is not there or takes no lobbies, and for a filter that nothing can be searched by', async () => {
    const { join } = await arena({ enabled: false })
    await expect(join('ann')).rejects.toMatchObject({ code: 'QUEUE_DISABLED' })
    await expect(join('ann', { queueId: 'none' })).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' })
    const filters = [{ a: 1, b: 1, c: 1, d: 1, e: 1 }, { a: 'x'.repeat(200) }, { ['k'.repeat(100)]: 1 }]
    for (const filter of filters)
      await expect(join('ann', { filter })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('passes over a lobby that is too large for what the player brings along', async () => {
    const { matchyard, projectId, join } = await arena({ maxPlayers: 100 })
    const state = { filler: 'x'.repeat(16_000) }
    const first = await join('p0', { state })
    let last = first
    for (let n = 1; last.lobby.id === first.lobby.id; n++) last = await join(`p${n}`, { state })
    expect(last.made).toBe(true)
    expect((await join('small')).lobby.id).toBe(first.lobby.id)
    expect((await matchyard.lobbies.browse({ projectId, backend: true })).total).toBe(2)
  })

  it('goes on past the fullest ones that are too large for what the player brings along', async () => {
    const { join, make, large, all } = await arena({ maxPlayers: 100 })
    for (let n = 0; n < 4; n++) await large(`large${n}`)
    const roomy = await make('ann', { maxPlayers: 3 })
    const joined = await join('bob', { state: { filler: 'x'.repeat(12_000) }, create: false })
    expect(joined.lobby.id).toBe(roomy.id)
    expect(await all()).toHaveLength(5)
  })

  it('looks at a hundred that are too large, and no more', async () => {
    const asked: (OpenPlace | undefined)[] = []
    let template: Lobby | undefined
    // Returns as many lobbies as a read asks for, each of them too large.
    const { large, join } = await arena({ maxPlayers: 100 }, (storage) => ({
      lobbies: {
        ...storage.lobbies,
        fullestOpen: async (query) => {
          if (template === undefined) return storage.lobbies.fullestOpen(query)
          asked.push(query.after)
          const from = 1 + Number(query.after?.id ?? 0)
          return Array.from({ length: query.limit }, (_, n) => ({ ...(template as Lobby), id: String(from + n) }))
        },
      },
    }))
    template = await large('a')
    expect((await join('bob', { state: { filler: 'x'.repeat(12_000) } })).made).toBe(true)
    expect(asked).toHaveLength(MAX_PASSED / 4)
    expect(asked.at(-1)).toMatchObject({ seats: 1, id: '96' })
  })

  it('keeps no long answer for those who call with a key, and answers them from the present lobby', async () => {
    let most = 0
    const { large, matchyard, projectId } = await arena({ maxPlayers: 100 }, (storage) => ({
      commit: (commit) => {
        const records = commit.writes.filter(({ kind }) => kind === 'idempotency')
        most = Math.max(most, JSON.stringify(records).length)
        return storage.commit(commit)
      },
    }))
    const { id } = await large('a', 60)
    const replays: string[] = []
    const call = (n: number) =>
      matchyard.lobbies.quickJoin(
        { projectId, queueId: 'open', playerId: `p${n}` },
        { idempotency: { id: `key${n}`, requestHash: 'hash' }, onReplay: (from) => replays.push(from) },
      )
    const joined = await Promise.all(Array.from({ length: 40 }, (_, n) => call(n)))
    expect(new Set(joined.map(({ lobby }) => lobby.id))).toEqual(new Set([id]))
    expect(most).toBeLessThan(40 * MAX_KEPT_BYTES)
    const again = await call(3)
    expect(again.made).toBe(false)
    expect(playersOf(again)).toHaveLength(56)
    expect(replays).toEqual(['current'])
  })

  it('of a member of the fullest lobby answers that lobby', async () => {
    const { join } = await arena()
    await join('ann')
    expect(await join('ann', { state: { ready: true } })).toMatchObject({
      made: false,
      lobby: { players: [{ playerId: 'ann', state: { ready: true } }] },
    })
  })

  it('under one idempotency key is done once, also when it is called twice at once', async () => {
    const { matchyard, projectId, all } = await arena()
    const call = { idempotency: { id: 'key', requestHash: 'hash' } }
    const input = { projectId, queueId: 'open', playerId: 'ann' }
    const first = await matchyard.lobbies.quickJoin(input, call)
    expect(await matchyard.lobbies.quickJoin(input, call)).toEqual(first)
    expect(await all()).toHaveLength(1)
  })

  it('goes on to the next lobby when the one it would be made for was closed, filled or changed', async () => {
    const { matchyard, projectId, join } = await arena()
    const first = await join('ann', { filter: { mode: 'duel' } })
    const on = { projectId, lobbyId: first.lobby.id, playerId: 'ann' }
    await matchyard.lobbies.updateSettings({ ...on, changes: { settings: { mode: 'raid' } } })
    const second = await join('bob', { filter: { mode: 'duel' } })
    expect(second.made).toBe(true)
    // The first lobby matches the filter again but holds no key: the second lobby holds it.
    await matchyard.lobbies.updateSettings({ ...on, changes: { settings: { mode: 'duel' } } })
    await matchyard.lobbies.delete({ ...on, lobbyId: second.lobby.id, playerId: 'bob', backend: false })
    expect((await join('cid', { filter: { mode: 'duel' } })).lobby.id).toBe(first.lobby.id)
    await matchyard.lobbies.start({ ...on })
    expect((await join('dee', { filter: { mode: 'duel' } })).made).toBe(true)
  })

  it('by a thousand at once on three nodes fills a hundred lobbies, and refuses nobody', async () => {
    const { matchyard, another, projectId, join, all } = await arena({ maxPlayers: 10 })
    const nodes = [matchyard]
    for (const nodeId of ['two', 'three']) nodes.push((await another({ nodeId })).matchyard)
    const joined = await Promise.all(Array.from({ length: 1_000 }, (_, n) => join(`p${n}`, {}, nodes[n % 3])))
    expect(joined.filter(({ made }) => made)).toHaveLength(100)
    const first = await all()
    const { data: rest } = await matchyard.lobbies.browse({
      projectId,
      backend: true,
      limit: 100,
      offset: first.length,
    })
    const lobbies = [...first, ...rest]
    expect(lobbies.map(({ players }) => players.length)).toEqual(Array.from({ length: 100 }, () => 10))
    expect(new Set(lobbies.flatMap(({ players }) => players.map(({ playerId }) => playerId))).size).toBe(1_000)
  })
})

describe('a line of newcomers', () => {
  it('past ten thousand who wait is refused', async () => {
    const { join } = await arena({ maxPlayers: 100 })
    const seats = await Promise.allSettled(Array.from({ length: 10_001 }, (_, n) => join(`p${n}`)))
    const refused = seats.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code: 'UNAVAILABLE' } }])
  })
})

describe('the lobbies of a player', () => {
  it('are those it is in, the newest first, private ones too', async () => {
    const { matchyard, projectId, clock, make } = await arena()
    const first = await make('ann', { isPrivate: true })
    clock.advance(1_000)
    const second = await make('bob')
    await matchyard.lobbies.join({ projectId, lobbyId: second.id, playerId: 'ann' })
    const mine = async () => (await matchyard.lobbies.ofPlayer({ projectId, playerId: 'ann' })).data.map(({ id }) => id)
    expect(await mine()).toEqual([second.id, first.id])
    await matchyard.lobbies.leave({ projectId, lobbyId: second.id, playerId: 'ann' })
    expect(await mine()).toEqual([first.id])
    await matchyard.lobbies.delete({ projectId, lobbyId: first.id, playerId: 'ann', backend: false })
    expect(await mine()).toEqual([])
  })
})
