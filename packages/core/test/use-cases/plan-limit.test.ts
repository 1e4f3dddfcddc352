import { expect, it } from 'vitest'
import { type Service, service } from './service'

/** Returns an account that may run two servers, and a queue of duels that need one each. */
async function limited(): Promise<Service & { commits: () => number }> {
  let commits = 0
  const given = await service(
    (storage) => ({
      commit: (commit) => {
        if (commit.writes.some(({ kind }) => kind === 'match')) commits++
        return storage.commit(commit)
      },
    }),
    { operatorLimits: { maxConcurrentServers: 2 } },
  )
  const { matchyard } = given
  const account = await matchyard.accounts.create({ email: 'ann@example.com', password: 'correct horse', name: 'Ann' })
  const { project } = await matchyard.projects.create({ accountId: account.id, name: 'Limited' })
  const projectId = project.id
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  const serverSettings = { versionTag: 'arena' }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking: {}, serverSettings })
  return { ...given, projectId, commits: () => commits }
}

async function enter({ matchyard, projectId, clock }: Service, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const playerId = `player_${i}`
    const lobby = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel' })
    await matchyard.lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId })
    ids.push(lobby.id)
    clock.advance(10)
  }
  return ids
}

const statuses = ({ matchyard, projectId }: Service, ids: readonly string[]) =>
  Promise.all(ids.map(async (lobbyId) => (await matchyard.lobbies.get({ projectId, lobbyId, backend: true })).status))

it('an account at its plan’s limit has no match made: all keep their place, and the oldest go on when a server ends', async () => {
  const given = await limited()
  const { matchyard, projectId, clock } = given
  const tick = () => matchyard.matchmaking.runQueue(`${projectId}/duel`)
  const ids = await enter(given, 10)
  expect((await tick()).matches).toBe(2)
  const waiting = ids.slice(4)
  expect(await statuses(given, waiting)).toEqual(waiting.map(() => 'in_queue'))
  clock.advance(1_000)
  const [oldest = ''] = waiting
  const why = await matchyard.lobbies.explainMatchmaking({ projectId, lobbyId: oldest, backend: true })
  expect([why.heldBy, why.waitedSeconds > 1]).toEqual(['plan_limit', true])

  // The ticks in between make no attempt.
  const before = given.commits()
  const idle = await tick()
  expect([idle.matches, given.commits() - before]).toEqual([0, 0])
  expect((idle.dueAt ?? 0) - clock.now()).toBe(1_000)

  const { data: live } = await matchyard.servers.list({ projectId })
  const [ending] = live
  await matchyard.servers.stop({ projectId, instanceId: ending?.id ?? '' })
  await matchyard.worker.runDueJobs()
  await matchyard.worker.reconcileServers()
  expect((await tick()).matches).toBe(1)
  expect(await statuses(given, waiting)).toEqual(['matched', 'matched', ...waiting.slice(2).map(() => 'in_queue')])
})

it('nothing holds a queue below the limit, nor one whose matches launch nothing', async () => {
  const given = await limited()
  const { matchyard, projectId } = given
  await matchyard.queues.create({ projectId, queueId: 'chat', name: 'Chat', matchmaking: {} })
  for (const queueId of ['duel', 'chat']) {
    const lobby = await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId })
    await matchyard.lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId: 'ann' })
    const why = await matchyard.lobbies.explainMatchmaking({ projectId, lobbyId: lobby.id, backend: true })
    expect(why.heldBy).toBe(null)
  }
})

it('a direct start at the limit is refused', async () => {
  const given = await limited()
  const { matchyard, projectId } = given
  for (let i = 0; i < 3; i++) {
    const playerId = `host ${i}`
    const lobby = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel' })
    const start = matchyard.lobbies.start({ projectId, lobbyId: lobby.id, playerId })
    if (i < 2) expect((await start).status).toBe('starting')
    else await expect(start).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED' })
  }
})

it('an account at its plan’s limit is backfilled all the same: an open seat needs no server', async () => {
  const given = await limited()
  const { matchyard, projectId, clock } = given
  const tick = () => matchyard.matchmaking.runQueue(`${projectId}/duel`)
  const ids = await enter(given, 8)
  await tick()
  for (let round = 0; round < 3; round++) {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    clock.advance(1_000)
  }
  const [first = '', second = ''] = ids
  const { matchId } = await matchyard.lobbies.get({ projectId, lobbyId: first, backend: true })
  const server = (await matchyard.matches.get({ projectId, matchId: matchId ?? '' })).match.serverId ?? ''
  await matchyard.servers.selfReady({ projectId, instanceId: server, attempt: 1 })
  await matchyard.lobbies.leave({ projectId, lobbyId: second, playerId: 'player_1' })
  await matchyard.matches.backfill({ projectId, matchId: matchId ?? '' })
  // At the limit the queue makes no new match, but its running matches still take waiting players.
  expect(await tick()).toMatchObject({ matches: 0, fills: 1 })
  expect(await statuses(given, ids.slice(4))).toEqual(['matched', 'in_queue', 'in_queue', 'in_queue'])
})
