import { createMatchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const MINUTE = 60_000

/** Returns a node with a queue of one player, and a function that plays a match whose server ends with an exit code. */
async function arena() {
  const clock = new FakeClock()
  const orchestrator = new FakeOrchestrator(clock)
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage: memoryStorage(), orchestrator })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const look = async () => {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    await matchyard.worker.runDueJobs()
  }
  const upload = async () => {
    const build = await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
    await look()
    return build
  }
  await matchyard.queues.create({
    ...{ projectId, queueId: 'solo', name: 'Solo', matchmaking: { teams: 1, playersPerTeam: 1 } },
    serverSettings: { versionTag: 'arena' },
  })
  let players = 0
  const play = async (code: number) => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'solo', playerId: `p${++players}` })
    await matchyard.lobbies.start({ projectId, lobbyId, playerId: `p${players}` })
    await look()
    const lobby = await matchyard.lobbies.get({ projectId, lobbyId, backend: true })
    orchestrator.exit(String(lobby.server?.instanceId), { code })
    await look()
    clock.advance(MINUTE)
    return String(lobby.matchId)
  }
  return { matchyard, projectId, clock, upload, play }
}

describe('matches', () => {
  it('name the build of their server, and are listed by it, by their end and by the time when they were made', async () => {
    const { matchyard, projectId, clock, upload, play } = await arena()
    const first = await upload()
    const from = clock.now()
    const [calm, crashed] = [await play(0), await play(3)]
    const second = await upload()
    const between = clock.now()
    const later = await play(3)
    const { match } = await matchyard.matches.get({ projectId, matchId: crashed })
    expect(match).toMatchObject({
      ending: { reason: 'server_failed', exitCode: 3 },
      build: { id: first.id, versionTag: 'arena', buildVersion: 1 },
    })
    const list = async (filter: Omit<Parameters<typeof matchyard.matches.list>[0], 'projectId'>) =>
      (await matchyard.matches.list({ projectId, ...filter })).data.map((one) => one.match.id)
    expect(await list({})).toEqual([later, crashed, calm])
    expect(await list({ buildId: first.id })).toEqual([crashed, calm])
    expect(await list({ buildVersion: 'arena@1', endReason: 'server_failed' })).toEqual([crashed])
    expect(await list({ buildVersion: 'arena@2' })).toEqual([later])
    expect(await list({ buildVersion: 'arena@2', buildId: first.id })).toEqual([])
    expect(await list({ buildVersion: 'arena@3' })).toEqual([])
    expect(await list({ from: between })).toEqual([later])
    expect(await list({ from, to: between })).toEqual([crashed, calm])
    const page = await matchyard.matches.list({ projectId, to: between, limit: 1 })
    const more = await matchyard.matches.list({ projectId, to: between, limit: 1, cursor: page.nextCursor ?? '' })
    expect([...page.data, ...more.data].map((one) => one.match.id)).toEqual([crashed, calm])
    const { data, total } = await matchyard.servers.list({ projectId, buildVersion: 'arena@2' })
    expect([total, data.map(({ buildId }) => buildId)]).toEqual([1, [second.id]])
    // Players do not read builds, and their lists cannot be filtered by them.
    const [seen] = (await matchyard.matches.list({ projectId, backend: false, buildId: second.id, limit: 1 })).data
    expect(seen?.match).not.toHaveProperty('build')
  })

  it('refuse a build or a period that is none', async () => {
    const { matchyard, projectId } = await arena()
    const refusal = { code: 'VALIDATION_FAILED' }
    for (const buildVersion of ['arena', 'arena@0', '@1', 'arena@1@2'])
      await expect(matchyard.matches.list({ projectId, buildVersion })).rejects.toMatchObject(refusal)
    for (const period of [{ from: 2, to: 2 }, { from: -1 }, { to: 0.5 }])
      await expect(matchyard.matches.list({ projectId, ...period })).rejects.toMatchObject(refusal)
    await expect(matchyard.servers.list({ projectId, buildVersion: 'x@' })).rejects.toMatchObject(refusal)
  })
})
