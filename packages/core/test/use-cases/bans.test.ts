import type { Ban, DomainEvent } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { MAX_BANS } from '../../src/catalog/limits'
import { ENDED_BANS_KEPT_MS } from '../../src/use-cases/bans/prune-bans'
import { service } from './service'

const MINUTE = 60_000

/** Returns a service with the queues `duel` and `casual`, and the steps of a test. `read` names the kinds that the storage was asked for. */
async function arena() {
  const read: string[] = []
  const around = (storage: Storage): Partial<Storage> => ({
    get: (kind, id) => {
      read.push(kind)
      return storage.get(kind, id)
    },
    getMany: (kind, ids) => {
      read.push(kind)
      return storage.getMany(kind, ids)
    },
  })
  const given = await service(around)
  const { matchyard, projectId } = given
  for (const [queueId, playersPerTeam] of [
    ['duel', 1],
    ['casual', 1],
    ['pairs', 2],
  ] as const) {
    await matchyard.queues.create({ projectId, queueId, name: queueId, matchmaking: { playersPerTeam }, maxPlayers: 4 })
  }
  const { lobbies, bans } = matchyard
  const create = (playerId: string, queueId = 'duel') => lobbies.create({ projectId, playerId, queueId })
  const ban = (playerId: string, wish: object = {}) => bans.set({ projectId, playerId, ...wish })
  const lift = (playerId: string) => bans.delete({ projectId, playerId })
  const enqueue = ({ id: lobbyId, hostPlayerId: playerId }: { id: string; hostPlayerId: string }) =>
    lobbies.enqueue({ projectId, lobbyId, playerId })
  const get = ({ id: lobbyId }: { id: string }) => lobbies.get({ projectId, lobbyId, backend: true })
  const settle = async () => {
    while ((await matchyard.worker.runDueJobs()) > 0);
  }
  const tick = (queueId = 'duel') => matchyard.matchmaking.runQueue(`${projectId}/${queueId}`)
  const count = async () => (await bans.list({ projectId })).total
  return { ...given, read, lobbies, bans, create, ban, lift, enqueue, get, settle, tick, count }
}

const isBanned = (scope = 'project') => expect.objectContaining({ code: 'PLAYER_BANNED', details: detailsOf(scope) })
const detailsOf = (scope: string) => expect.objectContaining({ scope })

describe('a player banned from the project', () => {
  it('is refused at every door, and let in again once the ban is lifted', async () => {
    const { projectId, lobbies, create, ban, lift, enqueue } = await arena()
    const own = await create('ann')
    const other = await create('bob')
    await ban('ann')
    const { id: lobbyId, inviteCode } = other
    const doors = [
      () => create('ann'),
      () => lobbies.join({ projectId, lobbyId, playerId: 'ann' }),
      () => lobbies.joinByCode({ projectId, inviteCode: inviteCode ?? '', playerId: 'ann' }),
      () => lobbies.quickJoin({ projectId, queueId: 'duel', playerId: 'ann' }),
      () => lobbies.quickJoin({ projectId, queueId: 'duel', playerId: 'ann', create: false }),
      () => lobbies.quickJoin({ projectId, queueId: 'none', playerId: 'ann' }),
      () => enqueue(own),
      () => lobbies.start({ projectId, lobbyId: own.id, playerId: 'ann' }),
    ]
    for (const door of doors) await expect(door()).rejects.toEqual(isBanned())
    await lift('ann')
    await enqueue(own)
    await create('ann')
  })

  it('does not keep the others of a quick join out', async () => {
    const { projectId, lobbies, create, ban } = await arena()
    const { id } = await create('zoe')
    await ban('bob')
    const come = (playerId: string) => lobbies.quickJoin({ projectId, queueId: 'duel', playerId })
    const came = await Promise.allSettled(['ann', 'bob', 'cat'].map(come))
    expect(came).toEqual([
      expect.objectContaining({ value: expect.objectContaining({ lobby: expect.objectContaining({ id }) }) }),
      { status: 'rejected', reason: isBanned() },
      expect.objectContaining({ value: expect.objectContaining({ lobby: expect.objectContaining({ id }) }) }),
    ])
  })

  it('keeps a party from entering and starting, whoever hosts it', async () => {
    const { projectId, lobbies, create, ban, enqueue } = await arena()
    const lobby = await create('ann')
    await lobbies.join({ projectId, lobbyId: lobby.id, playerId: 'bob' })
    await ban('bob', { reason: 'cheating' })
    const players = ['bob']
    const refusal = { code: 'PLAYER_BANNED', details: { scope: 'project', until: null, reason: 'cheating', players } }
    await expect(enqueue(lobby)).rejects.toMatchObject(refusal)
    const client = { proven: {} }
    const start = lobbies.start({ projectId, lobbyId: lobby.id, playerId: 'ann', client })
    await expect(start).rejects.toMatchObject({ ...refusal, details: { ...refusal.details, reason: null } })
  })

  it('reads, and leaves', async () => {
    const { projectId, lobbies, create, ban, get } = await arena()
    const lobby = await create('ann')
    await ban('ann')
    const on = { projectId, lobbyId: lobby.id, playerId: 'ann' }
    expect(await get(lobby)).toEqual(lobby)
    await lobbies.heartbeat(on)
    await lobbies.leave(on)
  })

  it('plays on', async () => {
    const { projectId, lobbies, create, ban, get, settle } = await arena()
    const lobby = await create('ann')
    await lobbies.start({ projectId, lobbyId: lobby.id, playerId: 'ann' })
    await settle()
    expect((await get(lobby)).status).toBe('in_game')
    await ban('ann')
    await settle()
    expect((await get(lobby)).status).toBe('in_game')
  })
})

describe('a player banned from a queue', () => {
  it('is refused there once the queue is found, and plays elsewhere', async () => {
    const { projectId, lobbies, create, ban, enqueue } = await arena()
    const own = await create('ann')
    const { id: lobbyId } = await create('bob')
    await ban('ann', { queues: ['duel'] })
    await expect(create('ann', 'none')).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' })
    const doors = [
      () => create('ann'),
      () => lobbies.join({ projectId, lobbyId, playerId: 'ann' }),
      () => lobbies.quickJoin({ projectId, queueId: 'duel', playerId: 'ann' }),
      () => enqueue(own),
      () => lobbies.start({ projectId, lobbyId: own.id, playerId: 'ann' }),
    ]
    for (const door of doors) await expect(door()).rejects.toEqual(isBanned('queue'))
    await enqueue(await create('ann', 'casual'))
  })

  it('stops to search there, and searches on elsewhere', async () => {
    const { create, ban, enqueue, get, settle } = await arena()
    const [there, elsewhere] = [await create('ann'), await create('ann', 'casual')]
    for (const lobby of [there, elsewhere]) await enqueue(lobby)
    await ban('ann', { queues: ['duel'] })
    await settle()
    expect(await get(there)).toMatchObject({ status: 'waiting', lastExit: { reason: 'banned' } })
    expect(await get(elsewhere)).toMatchObject({ status: 'in_queue' })
  })

  it('cannot be banned from a queue that does not exist', async () => {
    const { ban } = await arena()
    await expect(ban('ann', { queues: ['duel', 'none'] })).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' })
  })
})

describe('a search of a banned player', () => {
  it('ends, and the lobby keeps its players', async () => {
    const { projectId, lobbies, create, ban, enqueue, get, settle } = await arena()
    const lobby = await create('ann', 'pairs')
    await lobbies.join({ projectId, lobbyId: lobby.id, playerId: 'bob' })
    await enqueue(lobby)
    await ban('bob')
    await settle()
    expect(await get(lobby)).toMatchObject({
      status: 'waiting',
      players: [{ playerId: 'ann' }, { playerId: 'bob' }],
      lastExit: { reason: 'banned' },
    })
  })

  it('is in no match, even before the job of the ban has run; the others are matched in the same tick', async () => {
    const { create, ban, enqueue, get, tick } = await arena()
    const [ann, bob, cat] = [await create('ann'), await create('bob'), await create('cat')]
    for (const lobby of [ann, bob]) await enqueue(lobby)
    await ban('ann')
    await tick()
    expect(await get(ann)).toMatchObject({ status: 'waiting', lastExit: { reason: 'banned' } })
    expect((await get(bob)).status).toBe('in_queue')
    await enqueue(cat)
    expect((await tick()).matches).toBe(1)
    expect((await get(bob)).status).toBe('matched')
  })

  it('goes on when the ban is lifted before its job has run', async () => {
    const { create, ban, lift, enqueue, get, settle } = await arena()
    const lobby = await create('ann')
    await enqueue(lobby)
    await ban('ann')
    await lift('ann')
    await settle()
    expect((await get(lobby)).status).toBe('in_queue')
  })

  it('ends in every lobby', async () => {
    const { create, ban, enqueue, get, settle } = await arena()
    const all = []
    for (let n = 0; n < 5; n++) all.push(await create('ann'))
    for (const lobby of all) await enqueue(lobby)
    await ban('ann')
    await settle()
    for (const lobby of all) expect((await get(lobby)).status).toBe('waiting')
  })
})

describe('a proposed match with a banned player', () => {
  async function proposed() {
    const given = await arena()
    const { matchyard, projectId, create, enqueue, get, tick } = given
    const readyCheck = { timeoutSeconds: 15, penaltySeconds: 60 }
    await matchyard.queues.update({ projectId, queueId: 'duel', changes: { matchmaking: { readyCheck } } })
    const [ann, bob] = [await create('ann'), await create('bob')]
    for (const lobby of [ann, bob]) await enqueue(lobby)
    await tick()
    expect((await get(ann)).proposal).toBeDefined()
    const accept = (lobby: { id: string; hostPlayerId: string }) =>
      matchyard.lobbies.accept({ projectId, lobbyId: lobby.id, playerId: lobby.hostPlayerId })
    return { ...given, ann, bob, accept }
  }

  it('ends as if declined: the other party searches on, and nobody is kept waiting for it', async () => {
    const { ban, lift, settle, get, enqueue, ann, bob } = await proposed()
    await ban('ann')
    await settle()
    expect(await get(ann)).toMatchObject({ status: 'waiting', lastExit: { reason: 'banned' } })
    expect(await get(bob)).toMatchObject({ status: 'in_queue', ticket: { id: expect.any(String) } })
    await lift('ann')
    await enqueue(ann)
  })

  it('is not made by the last answer', async () => {
    const { ban, settle, get, accept, ann, bob } = await proposed()
    await accept(bob)
    await ban('ann')
    await accept(ann)
    await settle()
    expect(await get(ann)).toMatchObject({ status: 'waiting', lastExit: { reason: 'banned' } })
    expect((await get(bob)).status).toBe('in_queue')
  })
})

describe('a ban with an end', () => {
  it('is over at its end, by the clock alone', async () => {
    const { projectId, clock, create, ban, bans, lift } = await arena()
    const set = await ban('ann', { until: clock.now() + MINUTE })
    clock.advance(MINUTE - 1)
    await expect(create('ann')).rejects.toEqual(isBanned())
    expect(await bans.get({ projectId, playerId: 'ann' })).toEqual(set)
    clock.advance(1)
    await create('ann')
    const over = { code: 'BAN_NOT_FOUND' }
    await expect(bans.get({ projectId, playerId: 'ann' })).rejects.toMatchObject(over)
    await expect(lift('ann')).rejects.toMatchObject(over)
    expect((await bans.list({ projectId })).data).toEqual([set])
  })

  it('is listed for 30 days after it, then it is forgotten', async () => {
    const { clock, ban, settle, count } = await arena()
    await ban('ann', { until: clock.now() + MINUTE })
    await ban('bob')
    clock.advance(MINUTE + ENDED_BANS_KEPT_MS - 1)
    await settle()
    expect(await count()).toBe(2)
    clock.advance(5 * MINUTE)
    await settle()
    expect(await count()).toBe(1)
  })

  it('is forgotten with all others of its age, in slices, and the number of the bans follows', async () => {
    const { projectId, clock, ban, bans, settle, count } = await arena()
    for (let n = 0; n < 130; n++) await ban(`player ${n}`, { until: clock.now() + MINUTE })
    clock.advance(2 * MINUTE + ENDED_BANS_KEPT_MS)
    await settle()
    expect([await count(), (await bans.list({ projectId })).data]).toEqual([0, []])
  })
})

describe('a list of bans', () => {
  it('gives the newest first, by cursor', async () => {
    const { projectId, clock, ban, bans } = await arena()
    for (const playerId of ['ann', 'bob', 'cat']) {
      await ban(playerId)
      clock.advance(1)
    }
    const first = await bans.list({ projectId, limit: 2 })
    expect(first).toMatchObject({ total: 3, data: [{ playerId: 'cat' }, { playerId: 'bob' }] })
    const second = await bans.list({ projectId, limit: 2, cursor: first.nextCursor ?? '' })
    expect(second).toMatchObject({ total: 3, data: [{ playerId: 'ann' }], nextCursor: null })
  })
})

describe('the number of bans of a project', () => {
  it('is bounded; a ban that has ended makes room, and one that is replaced needs none', async () => {
    const { projectId, data, clock, ban, lift } = await arena()
    await ban('ann')
    await ban('bob', { until: clock.now() + MINUTE })
    // The number is set by hand, because ten thousand calls would take too long.
    const storage = memoryStorage({ data })
    const project = await storage.get('project', projectId)
    if (project === undefined) throw new Error('no project')
    const { version } = project
    const put = { ...project, version: version + 1, bans: MAX_BANS }
    const writes = [{ kind: 'project' as const, id: projectId, expected: version, put }]
    const full = { id: 'cmt', at: clock.now(), checks: [], writes, counters: [], events: [], jobs: [] }
    expect(await storage.commit(full)).toEqual({ ok: true })
    await expect(ban('cat')).rejects.toMatchObject({ code: 'BAN_LIMIT' })
    await ban('ann', { reason: 'again' })
    clock.advance(MINUTE)
    await ban('cat')
    await expect(ban('dan')).rejects.toMatchObject({ code: 'BAN_LIMIT' })
    await lift('ann')
    await ban('dan')
  })
})

describe('a project without bans', () => {
  it('looks none up, whoever enters', async () => {
    const { projectId, lobbies, read, create, ban, lift, enqueue, tick, get } = await arena()
    await ban('zoe')
    await lift('zoe')
    read.length = 0
    const [ann, bob] = [await create('ann'), await create('bob')]
    await lobbies.join({ projectId, lobbyId: ann.id, playerId: 'cat' })
    await lobbies.leave({ projectId, lobbyId: ann.id, playerId: 'cat' })
    await lobbies.quickJoin({ projectId, queueId: 'casual', playerId: 'dan' })
    for (const lobby of [ann, bob]) await enqueue(lobby)
    await tick()
    expect((await get(ann)).status).toBe('matched')
    expect(read).toContain('project')
    expect(read).not.toContain('ban')
    await ban('zoe')
    await create('eve')
    expect(read).toContain('ban')
  })
})

describe('an erased player', () => {
  it('stays banned, by a hash of the id; nothing names the player', async () => {
    const { matchyard, projectId, data, clock, bans, create, ban, lift, settle } = await arena()
    await matchyard.webhooks.create({ projectId, url: 'https://games.example/', types: ['player.banned'] })
    await ban('ann', { reason: 'cheating', note: 'wrote ann@example.com' })
    await matchyard.players.erase({ projectId, playerId: 'ann' })
    await settle()
    expect((await bans.list({ projectId })).data).toMatchObject([{ playerId: null, note: null, reason: 'cheating' }])
    clock.advance(2 * 3_600_000)
    await settle()
    const kept = [...data.entities.values()].flatMap((rows) => [...rows.values()].map(({ text }) => text))
    expect(kept.filter((text) => text.includes('"ann"') || text.includes('ann@example.com'))).toEqual([])
    await expect(create('ann')).rejects.toEqual(isBanned())
    await lift('ann')
    await create('ann')
  })
})

describe('the events of a ban', () => {
  it('are told of each setting, and of lifting alone', async () => {
    const { matchyard, clock, ban, lift } = await arena()
    const told: [string, Ban][] = []
    const note = (event: DomainEvent) => 'ban' in event && told.push([event.type, event.ban])
    matchyard.events.on('*', note)
    const first = await ban('ann')
    const second = await ban('ann')
    await lift('ann')
    await ban('bob', { until: clock.now() + 1 })
    clock.advance(1)
    expect(told.slice(0, 3)).toEqual([
      ['player_banned', first],
      ['player_banned', second],
      ['player_unbanned', second],
    ])
    expect(told).toHaveLength(4)
  })
})

it('a search for a player shows the ban in force', async () => {
  const { matchyard, projectId, clock, ban } = await arena()
  const find = () => matchyard.players.find({ projectId, playerId: 'ann' })
  const set = await ban('ann', { until: clock.now() + MINUTE })
  expect((await find()).bans).toEqual([set])
  clock.advance(MINUTE)
  expect((await find()).bans).toEqual([])
})

it('a deleted project has no bans', async () => {
  const { matchyard, projectId, data, ban, settle } = await arena()
  await ban('ann')
  const project = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.projects.delete({ projectId, accountId: project.accountId })
  await settle()
  expect(data.entities.get('ban')?.size ?? 0).toBe(0)
})
