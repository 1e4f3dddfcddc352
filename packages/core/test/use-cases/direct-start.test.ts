import { createMatchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { expect, it } from 'vitest'

it('a direct start launches no version that the queue does not allow', async () => {
  const clock = new FakeClock()
  const orchestrator = new FakeOrchestrator(clock)
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage: memoryStorage(), orchestrator })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  for (const name of ['v1', 'secret']) await matchyard.builds.registerImage({ projectId, name, imageUrl: 'games/x:1' })
  await matchyard.worker.runDueJobs()
  const matchmaking = { teams: 2, playersPerTeam: 1, useVersionFromState: true, allowedVersions: ['v1'] }
  const serverSettings = { versionTag: 'v1' }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings, matchmaking })
  const lobbyOf = async (version: string) => {
    const state = { game_version: version }
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann', state })
    return { projectId, lobbyId, playerId: 'ann' }
  }
  await expect(matchyard.lobbies.start(await lobbyOf('secret'))).rejects.toMatchObject({
    code: 'PARTY_CANNOT_MATCH',
    details: { rule: 'version' },
  })
  expect((await matchyard.servers.list({ projectId })).data).toEqual([])
  expect(await matchyard.lobbies.start(await lobbyOf('v1'))).toMatchObject({ status: 'starting' })
  expect((await matchyard.servers.list({ projectId })).data).toMatchObject([{ versionTag: 'v1' }])
})

it('what is kept of a deleted build on this machine goes with its archive', async () => {
  const clock = new FakeClock()
  const orchestrator = new FakeOrchestrator(clock)
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage: memoryStorage(), orchestrator })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const input = { projectId, name: 'arena', executablePath: 'server' }
  const { build } = await matchyard.builds.createUpload(input)
  await matchyard.builds.delete({ projectId, buildId: build.id })
  await matchyard.worker.runDueJobs()
  expect(orchestrator.prunes).toBe(1)
})
