import type { BrowsedLobbies, Matchyard } from '@matchyard/core'
import type { LobbyQuery } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { READS_A_PAGE } from '../../src/use-cases/lobbies/present-page'
import { service } from './service'

const CLIENT = { proven: {} }
const BY_CLIENT = { client: CLIENT }

async function arena(settings: object = {}) {
  const reads: LobbyQuery[] = []
  const given = await service((storage) => ({
    lobbies: {
      ...storage.lobbies,
      browse(query) {
        reads.push(query)
        return storage.lobbies.browse(query)
      },
    },
  }))
  const { matchyard, projectId, clock, data } = given
  await matchyard.queues.create({
    projectId,
    queueId: 'open',
    name: 'Open',
    maxPlayers: 4,
    lobbyTtlSeconds: 86_400,
    ...settings,
  })
  const make = async (playerId: string, by: object = BY_CLIENT) =>
    (await matchyard.lobbies.create({ projectId, queueId: 'open', playerId, ...by })).id
  const named = (kind: 'client' | 'server', playerId: string, { isRead = false, on = matchyard } = {}) => {
    const caller = { kind, projectId, accountId: 'acc', keyId: 'key' } as never
    return on.access.identifyPlayer({ caller, rule: 'optional', playerId, isRead })
  }
  const page = (more: object = {}, on: Matchyard = matchyard): Promise<BrowsedLobbies> =>
    on.lobbies.browse({ projectId, backend: false, ...more })
  const listed = async (more: object = {}, on?: Matchyard) =>
    (await page({ limit: 100, ...more }, on)).data.map(({ hostPlayerId }) => hostPlayerId)
  const quick = (playerId: string, more: object = {}, on: Matchyard = matchyard) =>
    on.lobbies.quickJoin({ projectId, queueId: 'open', playerId, ...BY_CLIENT, ...more })
  /** Lets time pass until a host who is silent counts as absent. */
  const silence = () => clock.advance(30_000)
  const prune = () => memoryStorage({ data }).prune(clock.now())
  return { ...given, reads, make, named, page, listed, quick, silence, prune }
}

describe('a list for players', () => {
  it('passes over a waiting lobby whose host was not heard for the timeout, until a call names the host', async () => {
    const { clock, make, named, listed } = await arena()
    await make('ann')
    clock.advance(29_999)
    expect(await listed()).toEqual(['ann'])
    clock.advance(1)
    expect(await listed()).toEqual([])
    expect(await listed({ includeAbsent: true })).toEqual(['ann'])
    expect(await listed({ backend: true })).toEqual(['ann'])
    await named('client', 'ann')
    expect(await listed()).toEqual(['ann'])
    clock.advance(30_000)
    expect(await listed()).toEqual([])
  })

  it('judges the present host, not the other members', async () => {
    const { matchyard, projectId, make, named, listed, silence } = await arena()
    const lobbyId = await make('ann')
    await matchyard.lobbies.join({ projectId, lobbyId, playerId: 'bob', ...BY_CLIENT })
    silence()
    await named('client', 'bob')
    expect(await listed()).toEqual([])
    await matchyard.lobbies.leave({ projectId, lobbyId, playerId: 'ann' })
    expect(await listed()).toEqual(['bob'])
    silence()
    expect(await listed()).toEqual([])
  })

  it.each([
    ['a backend made it', {}, {}],
    ['the queue has no presence timeout', { presenceTimeoutSeconds: 0 }, BY_CLIENT],
  ])('shows a silent lobby when %s', async (_, settings, by) => {
    const { clock, make, listed } = await arena(settings)
    await make('ann', by)
    clock.advance(7_200_000)
    expect(await listed()).toEqual(['ann'])
  })

  it('shows a lobby that searches, even when nobody is heard', async () => {
    const { matchyard, projectId, make, listed, silence } = await arena({
      matchmaking: { teams: 2, playersPerTeam: 1 },
    })
    const lobbyId = await make('ann')
    await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId: 'ann', ...BY_CLIENT })
    silence()
    expect(await listed()).toEqual(['ann'])
  })

  it('goes by the kind of caller that named the host last, where reads with a server key do not count', async () => {
    const { clock, make, named, listed, silence } = await arena()
    await make('ann')
    await make('bob', {})
    await named('client', 'bob')
    silence()
    await named('server', 'ann', { isRead: true })
    expect(await listed()).toEqual([])
    await named('server', 'ann')
    silence()
    expect(await listed()).toEqual(['ann'])
    clock.advance(1)
    await named('client', 'ann')
    silence()
    expect(await listed()).toEqual([])
  })

  it('still passes over the lobby when the storage has forgotten its host after an hour', async () => {
    const { clock, matchyard, make, named, listed, prune } = await arena()
    await make('ann')
    await named('client', 'ann')
    await matchyard.worker.notePresence()
    clock.advance(1_000)
    await matchyard.worker.notePresence()
    clock.advance(3_700_000)
    await prune()
    expect(await listed()).toEqual([])
  })

  it('counts everybody as heard for the timeout after the service has started', async () => {
    const { clock, another, make, listed, silence } = await arena()
    await make('ann')
    silence()
    const { matchyard: other } = await another({ nodeId: 'two' })
    clock.advance(29_999)
    expect(await listed({}, other)).toEqual(['ann'])
    clock.advance(1)
    expect(await listed({}, other)).toEqual([])
  })

  it('shows a host with an open event stream, on every node, and no host of another stream', async () => {
    const { clock, matchyard, another, projectId, make, listed } = await arena()
    const { matchyard: other } = await another({ nodeId: 'two' })
    const watch = async (playerId: string, backend: boolean) =>
      matchyard.lobbies.watch({ projectId, lobbyId: await make(playerId), playerId, backend })
    const stream = await watch('ann', false)
    await watch('bob', true)
    for (let n = 0; n < 10; n++) {
      clock.advance(15_000)
      await matchyard.worker.notePresence()
    }
    expect(await listed({}, other)).toEqual(['ann'])
    clock.advance(10_000)
    stream.close()
    await matchyard.worker.notePresence()
    clock.advance(29_999)
    expect(await listed({}, other)).toEqual(['ann'])
    clock.advance(1)
    expect(await listed({}, other)).toEqual([])
  })

  it('reads on where lobbies are missing, a few times, and tells where the next page begins', async () => {
    const { make, page, silence, reads } = await arena()
    for (let n = 0; n < 12; n++) await make(`absent${n}`)
    silence()
    reads.length = 0
    const first = await page({ limit: 2, sort: 'created_at_asc' })
    expect(first).toMatchObject({ total: 12, data: [], offset: 2 * READS_A_PAGE })
    expect(reads).toHaveLength(READS_A_PAGE)
    await make('here')
    const last = await page({ limit: 2, sort: 'created_at_asc', offset: first.offset })
    expect(last).toMatchObject({ total: 13, data: [{ hostPlayerId: 'here' }], offset: 12 })
  })

  it('has each present lobby on exactly one page, in the order of the whole list', async () => {
    const presence = fc.array(fc.boolean(), { maxLength: 40 })
    const sorts = fc.constantFrom('created_at_desc', 'created_at_asc', 'player_count_desc')
    await fc.assert(
      fc.asyncProperty(presence, fc.integer({ min: 1, max: 9 }), sorts, async (isHere, limit, sort) => {
        const { make, named, page, listed, silence } = await arena()
        for (const n of isHere.keys()) await make(`p${n}`)
        silence()
        for (const [n, here] of isHere.entries()) if (here) await named('client', `p${n}`)
        const walked: string[] = []
        for (let offset = 0, more = true; more; ) {
          const found = await page({ limit, sort, offset })
          expect(found.data.length).toBeLessThanOrEqual(limit)
          walked.push(...found.data.map(({ hostPlayerId }) => hostPlayerId))
          offset = found.offset + found.data.length
          more = offset < found.total
        }
        const all = await listed({ sort, includeAbsent: true })
        expect(walked).toEqual(all.filter((host) => isHere[Number(host.slice(1))]))
      }),
      { numRuns: 30 },
    )
  })
})

describe('a quick join', () => {
  it('passes over a lobby whose host is absent, and takes it once the host is heard', async () => {
    const { make, named, quick, silence } = await arena()
    const lobbyId = await make('ann')
    silence()
    await expect(quick('bob', { create: false })).rejects.toMatchObject({ code: 'LOBBY_NOT_FOUND' })
    expect(await quick('bob')).toMatchObject({ made: true })
    await named('client', 'ann')
    expect((await quick('cid', { create: false })).lobby.id).toBe(lobbyId)
  })

  it('finds the present lobby behind many with an absent host', async () => {
    const { matchyard, projectId, make, quick, silence } = await arena()
    for (let n = 0; n < 9; n++) {
      const lobbyId = await make(`absent${n}`)
      await matchyard.lobbies.join({ projectId, lobbyId, playerId: `mate${n}` })
    }
    silence()
    const lobbyId = await make('here')
    expect((await quick('ann', { create: false })).lobby.id).toBe(lobbyId)
  })

  it('on three nodes at once makes only the lobbies that it fills, where absent hosts keep the keys', async () => {
    const { matchyard, another, quick, silence } = await arena()
    const nodes = [
      matchyard,
      (await another({ nodeId: 'two' })).matchyard,
      (await another({ nodeId: 'three' })).matchyard,
    ]
    for (const absent of ['first', 'second']) {
      await quick(absent)
      silence()
    }
    const joined = await Promise.all(Array.from({ length: 8 }, (_, n) => quick(`p${n}`, {}, nodes[n % 3])))
    expect(joined.filter(({ made }) => made)).toHaveLength(2)
  })

  it('gives no key to a lobby after four whose absent hosts keep the keys', async () => {
    const { quick, silence } = await arena()
    const keys: (string | undefined)[] = []
    for (let n = 0; n < 5; n++) {
      keys.push((await quick(`absent${n}`)).lobby.quickJoinKey)
      silence()
    }
    expect(new Set(keys.slice(0, 4)).size).toBe(4)
    expect(keys[4]).toBeUndefined()
  })
})
