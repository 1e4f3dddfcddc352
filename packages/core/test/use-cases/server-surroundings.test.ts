import { FakeOrchestrator } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { service } from './service'

async function withServer(serverSettings: object) {
  const fake = new FakeOrchestrator({ now: () => 0 })
  const { matchyard, projectId } = await service(() => ({}), { orchestrator: fake })
  await matchyard.queues.create({
    ...{ projectId, queueId: 'duel', name: 'Duel' },
    serverSettings: { versionTag: 'arena', ...serverSettings },
  })
  const lobby = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
  await matchyard.lobbies.start({ projectId, lobbyId: lobby.id, playerId: 'ann' })
  await matchyard.worker.runDueJobs()
  const instanceId = fake.launches[0]?.instanceId ?? ''
  const stop = async () => {
    await matchyard.servers.stop({ projectId, instanceId })
    await matchyard.worker.runDueJobs()
    return fake.stops.map(({ graceMs }) => graceMs)
  }
  return { matchyard, projectId, fake, stop }
}

describe('a game server of a queue', () => {
  it('is launched with the variables of the queue, and without any where the queue sets none', async () => {
    const { fake } = await withServer({ environment: { MODE: 'ctf', TEXT: '$${x}' } })
    expect(fake.launches[0]?.environment).toEqual({ MODE: 'ctf', TEXT: '${x}' })
    expect((await withServer({})).fake.launches[0]).not.toHaveProperty('environment')
  })

  it('has the seconds of its queue between SIGTERM and SIGKILL, and else ten', async () => {
    expect(await (await withServer({ stopGraceSeconds: 120 })).stop()).toEqual([120_000])
    expect(await (await withServer({})).stop()).toEqual([10_000])
  })

  it('waits in a pool with the same variables', async () => {
    const environment = { MODE: 'ctf' }
    const { fake, matchyard } = await withServer({ environment, stopGraceSeconds: 30, warm: {} })
    await matchyard.worker.reconcileServers()
    expect(fake.pools).toMatchObject([{ environment, stopGraceSeconds: 30 }])
  })
})

it.each([
  [{ environment: { HOME: '/' } }, 'serverSettings.environment.HOME'],
  [{ stopGraceSeconds: 0 }, 'serverSettings.stopGraceSeconds'],
  [{ stopGraceSeconds: 301 }, 'serverSettings.stopGraceSeconds'],
])('a queue refuses %j', async (settings, path) => {
  await expect(withServer(settings)).rejects.toMatchObject({ details: { issues: [{ path }] } })
})

it('a server without a match has its own variables and seconds', async () => {
  const { matchyard, projectId, fake } = await withServer({})
  const given = { environment: { MODE: 'solo' }, stopGraceSeconds: 5 }
  const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena', ...given })
  await matchyard.worker.runDueJobs()
  expect(fake.launches.at(-1)).toMatchObject(given)
  await matchyard.servers.stop({ projectId, instanceId })
  await matchyard.worker.runDueJobs()
  expect(fake.stops).toEqual([{ instanceId, graceMs: 5_000 }])
  const refused = matchyard.servers.create({
    projectId,
    versionTag: 'arena',
    environment: { PATH: 'x' },
    stopGraceSeconds: 301,
  })
  const issues = [{ path: 'stopGraceSeconds' }, { path: 'environment.PATH' }]
  await expect(refused).rejects.toMatchObject({ details: { issues } })
})
