import { setTimeout as wait } from 'node:timers/promises'
import { createMatchyard, type Matchyard, ServiceError } from '@matchyard/core'
import { nodePlatform } from '@matchyard/node'
import { postgresStorage } from '@matchyard/storage-postgres'
import { startServer, type TestServer } from '@matchyard/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds, seeded } from '../../src/rounds'

const NODES = 3
const QUEUE = 'trio'

/** Returns 'ok' or the code of the refusal. */
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof ServiceError ? error.code : Promise.reject(error)),
  )

/**
 * Three nodes on one database, each with an active director. The lease is granted to all three, so that only the
 * versions of the committed rows decide a race.
 */
describe('open seats, raced for on three nodes', { timeout: 1_800_000 }, () => {
  let database: TestServer
  let nodes: Matchyard[] = []
  let projectId = ''
  let turn = 0
  let guests = 0

  const next = (): Matchyard => nodes[turn++ % NODES] as Matchyard

  beforeAll(async () => {
    database = await startServer(['max_connections=60'])
    for (let node = 0; node < NODES; node++) {
      const storage = postgresStorage({ url: database.url })
      const leases = { ...storage.leases, acquire: async () => true }
      const platform = nodePlatform({ secret: 'a secret that is long enough for a test' })
      const matchyard = createMatchyard({ ...platform, storage: { ...storage, leases }, nodeId: `node_${node}` })
      await matchyard.open()
      nodes.push(matchyard)
    }
    projectId = (await next().projects.ensure({ name: 'races' })).id
    const matchmaking = { teams: 3, playersPerTeam: 1, backfill: { priority: 'before' } } as const
    await next().queues.create({ projectId, queueId: QUEUE, name: 'Trio', matchmaking })
  }, 120_000)
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    nodes = []
    await database?.stop()
  })

  const tick = (node: Matchyard) => node.matchmaking.runQueue(`${projectId}/${QUEUE}`)
  const queued = async (node = next()) => {
    const playerId = `player_${guests++}`
    const { id: lobbyId } = await node.lobbies.create({ projectId, queueId: QUEUE, playerId })
    const on = { projectId, lobbyId, playerId }
    await node.lobbies.enqueue(on)
    return on
  }
  type Guest = Awaited<ReturnType<typeof queued>>
  const read = ({ lobbyId }: Guest) => next().lobbies.get({ projectId, lobbyId, backend: true })
  const matchOf = async (matchId: string) => (await next().matches.get({ projectId, matchId })).match
  const playing = async (matchId: string) =>
    (await matchOf(matchId)).teams.flatMap(({ players }) => players.filter(({ leftAt }) => leftAt === null))
  const isAsked = (matchId: string) => outcomeOf(next().matches.getBackfill({ projectId, matchId }))
  /** Starts a match of three players, lets one of them leave, and asks for a player for the open seat. */
  const short = async () => {
    const node = next()
    const trio = [await queued(node), await queued(node), await queued(node)] as const
    await tick(node)
    await node.worker.runDueJobs()
    const { matchId } = await read(trio[0])
    if (matchId === null) throw new Error('no match was made')
    await node.lobbies.leave(trio[2])
    await next().matches.backfill({ projectId, matchId })
    return { matchId, trio }
  }
  const clear = async (...guestsLeft: readonly Guest[]) => {
    for (const { lobbyId } of guestsLeft) {
      await outcomeOf(next().lobbies.delete({ projectId, lobbyId, backend: true }))
    }
  }
  /** Ticks the directors of all nodes until they make no more matches and fill no more seats. */
  const settle = async () => {
    for (let made = 1; made > 0; ) {
      const ticks = await Promise.all(nodes.map(tick))
      made = ticks.reduce((sum, { fills, matches }) => sum + fills + matches, 0)
    }
    await Promise.all(nodes.map((node) => node.worker.runDueJobs()))
  }

  it('the last seat goes to one of two who come at once, and to no third', async () => {
    const random = seeded()
    const won = [0, 0]
    for (let round = 0; round < rounds(1_000); round++) {
      const { matchId, trio } = await short()
      const come = async (node: Matchyard) => {
        await wait(random.next() * 4)
        const guest = await queued(node)
        await tick(node)
        return guest
      }
      const again = outcomeOf(next().matches.backfill({ projectId, matchId }))
      const [a, b] = await Promise.all([come(next()), come(next()), tick(next())])
      expect(['ok', 'INVALID_MATCH_STATE']).toContain(await again)
      await settle()
      const states = [await read(a), await read(b)]
      const inside = states.map((lobby) => lobby.matchId === matchId)
      expect(inside.filter(Boolean), `seed ${random.seed}, round ${round}`).toHaveLength(1)
      const winner = inside.indexOf(true)
      won[winner] = (won[winner] ?? 0) + 1
      expect(states[winner]?.status).toBe('in_game')
      expect(states[1 - winner]).toMatchObject({ status: 'in_queue', matchId: null })
      const names = (await playing(matchId)).map(({ playerId }) => playerId).sort()
      expect(names).toEqual([trio[0], trio[1], winner === 0 ? a : b].map(({ playerId }) => playerId).sort())
      expect(await isAsked(matchId)).toBe('BACKFILL_NOT_FOUND')
      await clear(a, b, trio[0], trio[1])
    }
    console.log(`seed ${random.seed}: won by the first ${won[0]}, by the second ${won[1]}`)
    expect(Math.min(...won)).toBeGreaterThan(0)
  })

  it('who leaves the queue is backfilled or gone, never both; who leaves the match meanwhile is marked', async () => {
    const random = seeded()
    const outcomes = { cancelled: 0, filled: 0 }
    let delayMs = 4
    for (let round = 0; round < rounds(1_000); round++) {
      const { matchId, trio } = await short()
      const guest = await queued()
      const [first, second] = [next(), next()]
      const cancel = wait(random.next() * delayMs).then(() => outcomeOf(first.lobbies.cancelMatchmaking(guest)))
      const leave = round % 2 === 0 ? second.lobbies.leave(trio[1]) : undefined
      const [answer] = await Promise.all([cancel, leave, ...nodes.map(tick)])
      await settle()
      const [lobby, match] = [await read(guest), await matchOf(matchId)]
      const names = (await playing(matchId)).map(({ playerId }) => playerId)
      const where = `seed ${random.seed}, round ${round}`
      if (answer === 'ok') {
        outcomes.cancelled++
        delayMs = Math.min(60, delayMs * 1.1)
        expect(lobby, where).toMatchObject({ status: 'waiting', matchId: null })
        expect(names).not.toContain(guest.playerId)
        expect(await isAsked(matchId)).toBe('ok')
      } else {
        outcomes.filled++
        delayMs = Math.max(0.5, delayMs * 0.9)
        expect([answer, lobby.status, lobby.matchId], where).toEqual(['INVALID_LOBBY_STATE', 'in_game', matchId])
        expect(names).toContain(guest.playerId)
        expect(await isAsked(matchId)).toBe('BACKFILL_NOT_FOUND')
      }
      const left = match.teams.flatMap(({ players }) => players.filter(({ leftAt }) => leftAt !== null))
      expect(left.map(({ playerId }) => playerId).includes(trio[1].playerId)).toBe(round % 2 === 0)
      await clear(guest, trio[0], trio[1])
    }
    console.log(`seed ${random.seed}: ${outcomes.cancelled} cancelled, ${outcomes.filled} filled`)
    expect(Math.min(outcomes.cancelled, outcomes.filled)).toBeGreaterThan(0)
  })

  it('a match that ends takes nobody after its end, and leaves nobody in it', async () => {
    const random = seeded()
    const outcomes = { endedFirst: 0, filledFirst: 0 }
    let delayMs = 4
    for (let round = 0; round < rounds(1_000); round++) {
      const { matchId, trio } = await short()
      const guest = await queued()
      const node = next()
      const end = wait(random.next() * delayMs).then(() => node.lobbies.end({ ...trio[0], backend: true }))
      await Promise.all([end, ...nodes.map(tick)])
      await settle()
      const [lobby, match] = [await read(guest), await matchOf(matchId)]
      const where = `seed ${random.seed}, round ${round}`
      expect(match.endedAt, where).not.toBeNull()
      expect(await isAsked(matchId)).toBe('BACKFILL_NOT_FOUND')
      const wasThere = match.teams.some(({ players }) => players.some(({ playerId }) => playerId === guest.playerId))
      if (wasThere) {
        outcomes.filledFirst++
        delayMs = Math.max(0.5, delayMs * 0.9)
        expect(lobby, where).toMatchObject({ status: 'waiting', matchId: null, lastExit: { reason: 'backend_ended' } })
      } else {
        outcomes.endedFirst++
        delayMs = Math.min(60, delayMs * 1.1)
        expect(lobby, where).toMatchObject({ status: 'in_queue', matchId: null })
      }
      for (const one of [trio[0], trio[1]]) expect((await read(one)).status).toBe('waiting')
      await clear(guest, trio[0], trio[1])
    }
    console.log(`seed ${random.seed}: ${outcomes.endedFirst} ended first, ${outcomes.filledFirst} filled first`)
    expect(Math.min(outcomes.endedFirst, outcomes.filledFirst)).toBeGreaterThan(0)
  })
})
