import { createMatchyard, type MatchyardOptions } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const MATCHMAKING = {
  teams: 2,
  playersPerTeam: 1,
  rules: [{ type: 'difference', field: 'mmr', maxDifference: 10 }],
} as const

async function service(options: Partial<MatchyardOptions> = {}) {
  const clock = new FakeClock()
  const orchestrator = new FakeOrchestrator(clock)
  const platform = fakePlatform({ clock, seed: 1 })
  const matchyard = createMatchyard({ ...platform, storage: memoryStorage(), orchestrator, ...options })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  const serverSettings = { versionTag: 'arena', ttl: 60 }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings, matchmaking: MATCHMAKING })
  const steps = async () => {
    for (let step = 0; step < 4; step++) {
      await matchyard.worker.runDueJobs()
      await matchyard.worker.reconcileServers()
    }
  }
  const { id: lobbyId } = await matchyard.lobbies.create({
    projectId,
    queueId: 'duel',
    playerId: 'ann',
    state: { mmr: 1 },
  })
  const ann = { projectId, lobbyId, playerId: 'ann' }
  const now = () => matchyard.lobbies.get({ ...ann, backend: false })
  /** Starts the lobby directly, as far as its server's launch gets. */
  const play = async () => {
    const started = await matchyard.lobbies.start(ann)
    expect(started).toMatchObject({ status: 'starting', lastExit: null })
    await steps()
    return now()
  }
  const instanceId = async () => (await now()).server?.instanceId ?? ''
  return { clock, orchestrator, matchyard, projectId, ann, now, play, steps, instanceId }
}

type Service = Awaited<ReturnType<typeof service>>

/** Each way back to `waiting`, with the reason and the detail that the lobby shows. */
const WAYS: readonly [reason: string, detail: RegExp, way: (s: Service) => Promise<unknown>][] = [
  [
    'cancelled',
    /the host took the lobby out/,
    async ({ matchyard, ann }) => {
      await matchyard.lobbies.enqueue(ann)
      await matchyard.lobbies.cancelMatchmaking(ann)
    },
  ],
  [
    'timeout',
    /no match was found/,
    async ({ matchyard, ann, clock, steps }) => {
      await matchyard.lobbies.enqueue(ann)
      clock.advance(301_000)
      await steps()
    },
  ],
  [
    'unmatchable',
    /no longer allow a match/,
    async ({ matchyard, ann, projectId, steps }) => {
      await matchyard.lobbies.enqueue(ann)
      const rules = [{ type: 'min', field: 'mmr', value: 5 }] as const
      await matchyard.queues.update({ projectId, queueId: 'duel', changes: { matchmaking: { ...MATCHMAKING, rules } } })
      await steps()
    },
  ],
  [
    'player_left',
    /a player left the lobby while/,
    async ({ matchyard, ann, projectId }) => {
      await matchyard.lobbies.join({ ...ann, playerId: 'bob' })
      const team = { teams: 2, playersPerTeam: 2 }
      await matchyard.queues.update({ projectId, queueId: 'duel', changes: { matchmaking: team } })
      await matchyard.lobbies.enqueue(ann)
      await matchyard.lobbies.leave({ ...ann, playerId: 'bob' })
    },
  ],
  [
    'launch_failed',
    /^was not running within 60 s: udp 1 is not bound$/,
    async ({ orchestrator, clock, play, steps }) => {
      orchestrator.script = () => ({ waitsFor: 'udp 1 is not bound' })
      await play()
      clock.advance(60_000)
      await steps()
    },
  ],
  [
    'launch_failed',
    /exited with code 0 before it was ready/,
    async ({ orchestrator, play }) => {
      orchestrator.script = () => ({ exits: 0 })
      await play()
    },
  ],
  [
    'build_missing',
    /no build named nothing is ready/,
    async ({ matchyard, projectId, play }) => {
      const changes = { serverSettings: { versionTag: 'nothing' } }
      await matchyard.queues.update({ projectId, queueId: 'duel', changes })
      await play()
    },
  ],
  [
    'match_ended',
    /^the host ended the match$/,
    async ({ matchyard, ann, play }) => {
      await play()
      await matchyard.lobbies.end({ ...ann, backend: false })
    },
  ],
  [
    'backend_ended',
    /^the backend ended the match$/,
    async ({ matchyard, ann, play }) => {
      await play()
      await matchyard.lobbies.end({ ...ann, backend: true })
    },
  ],
  [
    'match_ended',
    /^exited with code 0$/,
    async ({ orchestrator, play, instanceId, steps }) => {
      await play()
      orchestrator.exit(await instanceId())
      await steps()
    },
  ],
  [
    'match_ended',
    /shut down by the game server/,
    async ({ matchyard, projectId, play, instanceId }) => {
      await play()
      await matchyard.servers.selfShutdown({ projectId, instanceId: await instanceId(), attempt: 1 })
    },
  ],
  [
    'server_stopped',
    /stopped by request/,
    async ({ matchyard, projectId, play, instanceId }) => {
      await play()
      await matchyard.servers.stop({ projectId, instanceId: await instanceId() })
    },
  ],
  [
    'server_failed',
    /exited with code 3/,
    async ({ orchestrator, play, instanceId, steps }) => {
      await play()
      orchestrator.exit(await instanceId(), { code: 3 })
      await steps()
    },
  ],
  [
    'server_expired',
    /reached its ttl/,
    async ({ clock, play, steps }) => {
      await play()
      clock.advance(60_000)
      await steps()
    },
  ],
]

describe('a lobby that is back in waiting says why', () => {
  it.each(WAYS)('%s: %s', async (reason, detail, way) => {
    const all = await service()
    expect((await all.now()).lastExit).toBeNull()
    await way(all)
    const { status, lastExit } = await all.now()
    const { clock } = all
    expect({ status, lastExit }).toEqual({
      status: 'waiting',
      lastExit: { reason, detail: expect.stringMatching(detail), at: clock.now() },
    })
    // The reason is cleared when the lobby enters a queue again.
    await all.matchyard.queues.update({
      projectId: all.projectId,
      queueId: 'duel',
      changes: { matchmaking: MATCHMAKING },
    })
    expect((await all.matchyard.lobbies.enqueue(all.ann)).lastExit).toBeNull()
  })
})
