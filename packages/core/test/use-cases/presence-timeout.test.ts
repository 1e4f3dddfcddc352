import { createMatchyard, type QueueSettings } from '@matchyard/core'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const CLIENT = { proven: {} }

async function game(settings: Partial<QueueSettings> = {}) {
  const clock = new FakeClock()
  const data = emptyMemoryData()
  const open = async (seed: number) => {
    const node = createMatchyard({ ...fakePlatform({ clock, seed }), storage: memoryStorage({ data }) })
    await node.open()
    return node
  }
  const matchyard = await open(1)
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const matchmaking = { teams: 2, playersPerTeam: 1 }
  const queue = { projectId, queueId: 'duel', name: 'Duel', matchmaking, ...settings }
  await matchyard.queues.create(queue as never)
  const searching = async (playerId: string, { client }: { client?: typeof CLIENT } = { client: CLIENT }) => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
    await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId, ...(client && { client }) })
    return { projectId, lobbyId, playerId }
  }
  const caller = { kind: 'client', projectId, accountId: 'acc', keyId: 'key' } as never
  /** A call of the player's client that concerns nothing in particular. */
  const call = (playerId: string, on = matchyard) => on.access.identifyPlayer({ caller, rule: 'required', playerId })
  const tick = (node = matchyard) => node.matchmaking.runQueue(`${projectId}/duel`)
  const now = (on: { lobbyId: string }) => matchyard.lobbies.get({ projectId, lobbyId: on.lobbyId, backend: true })
  const statuses = async (...on: { lobbyId: string }[]) => Promise.all(on.map(async (one) => (await now(one)).status))
  const why = async (on: { lobbyId: string }) =>
    (await matchyard.lobbies.explainMatchmaking({ projectId, lobbyId: on.lobbyId, backend: true })).heldBy
  return { clock, matchyard, open, projectId, searching, call, tick, now, statuses, why }
}

describe('a lobby that searches and of which nobody is heard', () => {
  it('is set aside with its age, and matched once somebody is heard again', async () => {
    const { clock, searching, call, tick, now, statuses, why } = await game()
    const gone = await searching('ann')
    const { ticket } = await now(gone)
    clock.advance(30_000)
    const here = await searching('bob')
    await tick()
    expect(await statuses(gone, here)).toEqual(['in_queue', 'in_queue'])
    expect([await why(gone), await why(here)]).toEqual(['absent', null])
    expect((await now(gone)).ticket).toEqual(ticket)
    await call('ann')
    expect(await why(gone)).toBeNull()
    await tick()
    expect(await statuses(gone, here)).toEqual(['matched', 'matched'])
  })

  it('is looked at after five seconds when another node hears one of its players', async () => {
    const { clock, open, searching, call, tick, statuses } = await game()
    const other = await open(2)
    const gone = await searching('ann')
    clock.advance(30_000)
    const here = await searching('bob')
    await tick()
    await call('ann', other)
    clock.advance(1_000)
    await other.worker.notePresence()
    clock.advance(3_999)
    await tick()
    expect(await statuses(gone, here)).toEqual(['in_queue', 'in_queue'])
    clock.advance(1)
    await tick()
    expect(await statuses(gone, here)).toEqual(['matched', 'matched'])
  })

  it('makes room for others in the same tick', async () => {
    const { clock, searching, tick, statuses } = await game()
    const gone = await searching('ann')
    clock.advance(30_000)
    const [bob, cid] = [await searching('bob'), await searching('cid')]
    const { dueAt } = await tick()
    expect(dueAt).toBe(clock.now())
    await tick()
    expect(await statuses(gone, bob, cid)).toEqual(['in_queue', 'matched', 'matched'])
  })

  it('is matched up to the last millisecond of its timeout, and with one member who is heard', async () => {
    const { clock, matchyard, projectId, searching, call, tick, statuses } = await game({
      matchmaking: { teams: 2, playersPerTeam: 2 },
    } as never)
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    await matchyard.lobbies.join({ projectId, lobbyId, playerId: 'ari' })
    await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId: 'ann', client: CLIENT })
    const party = { projectId, lobbyId }
    clock.advance(20_000)
    await call('ari')
    clock.advance(29_999)
    const others = [await searching('bob'), await searching('cid')]
    await tick()
    expect(await statuses(party, ...others)).toEqual(['matched', 'matched', 'matched'])
  })

  it.each([
    ['a backend put it there', { presenceTimeoutSeconds: 30 }, {}],
    ['the queue has no presence timeout', { presenceTimeoutSeconds: 0 }, { client: CLIENT }],
  ])('is matched all the same when %s', async (_, settings, by) => {
    const { clock, searching, tick, statuses } = await game(settings)
    const quiet = await searching('ann', by)
    clock.advance(200_000)
    const here = await searching('bob')
    await tick()
    expect(await statuses(quiet, here)).toEqual(['matched', 'matched'])
  })

  it('stays vouched for when a proposal fails and it searches again', async () => {
    const readyCheck = { timeoutSeconds: 15 }
    const { clock, matchyard, searching, tick, now } = await game({
      matchmaking: { teams: 2, playersPerTeam: 1, readyCheck },
    } as never)
    const quiet = await searching('ann', {})
    const here = await searching('bob')
    await tick()
    await matchyard.lobbies.decline(here)
    clock.advance(60_000)
    const next = await searching('cid')
    await tick()
    expect((await now(quiet)).proposal?.matchId).toBe((await now(next)).proposal?.matchId)
  })

  it('counts as heard for the timeout after the service has started again', async () => {
    const { clock, open, searching, tick, statuses } = await game()
    const quiet = await searching('ann')
    clock.advance(60_000)
    const other = await open(2)
    const here = await searching('bob')
    clock.advance(5_000)
    await tick(other)
    expect(await statuses(quiet, here)).toEqual(['matched', 'matched'])
  })

  it('is heard through an open stream while it searches', async () => {
    const { clock, matchyard, searching, tick, statuses } = await game()
    const watcher = await searching('ann')
    await matchyard.lobbies.watch({ ...watcher, backend: false })
    for (let n = 0; n < 8; n++) {
      clock.advance(7_500)
      await matchyard.worker.notePresence()
    }
    const here = await searching('bob')
    await tick()
    expect(await statuses(watcher, here)).toEqual(['matched', 'matched'])
  })

  it('is heard by a call that another node got', async () => {
    const { clock, open, searching, call, tick, statuses } = await game()
    const other = await open(2)
    const mine = await searching('ann')
    clock.advance(29_000)
    await call('ann', other)
    clock.advance(1_000)
    await other.worker.notePresence()
    const here = await searching('bob')
    await tick()
    expect(await statuses(mine, here)).toEqual(['matched', 'matched'])
  })
})

it.each([
  [0, ['ann', 'bob'], 86_000],
  [600, ['ann', 'bob'], 599],
  [600, [], 600],
  [null, [], 60],
])('in a match, in_game_heartbeat_timeout %s decides who is silent', async (inGame, left, seconds) => {
  const settings = { heartbeat: true, heartbeatTimeoutSeconds: 60, inGameHeartbeatTimeoutSeconds: inGame }
  const { clock, matchyard, projectId } = await game(settings)
  const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
  await matchyard.lobbies.join({ projectId, lobbyId, playerId: 'bob' })
  await matchyard.lobbies.start({ projectId, lobbyId, playerId: 'ann' })
  await matchyard.worker.runDueJobs()
  for (let passed = 0; passed < seconds; passed += 50) {
    clock.advance(Math.min(50, seconds - passed) * 1_000)
    await matchyard.worker.runDueJobs()
  }
  const found = await matchyard.players.find({ projectId, playerId: 'ann' })
  expect(found.lobbies.flatMap(({ players }) => players.map(({ playerId }) => playerId))).toEqual(left)
})
