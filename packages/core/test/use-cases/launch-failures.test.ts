import { createMatchyard } from '@matchyard/core'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

async function service() {
  const clock = new FakeClock()
  const data = emptyMemoryData()
  const node = async (nodeId: string, seed: number) => {
    const orchestrator = new FakeOrchestrator(clock)
    const storage = memoryStorage({ data })
    const matchyard = createMatchyard({ ...fakePlatform({ clock, seed }), storage, orchestrator, nodeId })
    await matchyard.open()
    return { orchestrator, matchyard }
  }
  const { orchestrator, matchyard } = await node('one', 1)
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  const steps = async () => {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    await matchyard.worker.runDueJobs()
  }
  return { clock, orchestrator, matchyard, projectId, steps, another: () => node('two', 2) }
}

describe('a server that does not become ready', () => {
  it('fails at the launch timeout with what it lacked in the words of the orchestrator', async () => {
    const { clock, orchestrator, matchyard, projectId, steps } = await service()
    orchestrator.script = () => ({ waitsFor: 'udp 7777 is not bound; the server has bound udp 1' })
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await steps()
    clock.advance(59_000)
    await steps()
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({ status: 'launching' })
    clock.advance(1_000)
    await steps()
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({
      status: 'failed',
      stopReason: 'was not running within 60 s: udp 7777 is not bound; the server has bound udp 1',
    })
    // No process of the failed launch is left.
    expect(await orchestrator.observe()).toEqual([])
  })

  it('fails with what it lacked also where another node has the job at the deadline', async () => {
    const { clock, orchestrator, matchyard, projectId, steps, another } = await service()
    const { matchyard: other } = await another()
    orchestrator.script = () => ({ waitsFor: 'udp 7777 is not bound' })
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await steps()
    clock.advance(60_000)
    await other.worker.runDueJobs()
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({ status: 'launching' })
    await matchyard.worker.reconcileServers()
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({
      status: 'failed',
      stopReason: 'was not running within 60 s: udp 7777 is not bound',
    })
  })

  it('fails a few seconds later where its node does not come back, without what only that saw', async () => {
    const { clock, orchestrator, matchyard, projectId, steps, another } = await service()
    const { matchyard: other } = await another()
    orchestrator.script = () => ({ waitsFor: 'udp 7777 is not bound' })
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await steps()
    clock.advance(60_000)
    for (let second = 0; second < 3; second++) {
      await other.worker.runDueJobs()
      clock.advance(1_000)
    }
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({ status: 'launching' })
    await other.worker.runDueJobs()
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({
      status: 'failed',
      stopReason: 'was not running within 60 s',
    })
  })

  it('and ends with code 0 was an attempt that failed; after three it has failed', async () => {
    const { orchestrator, matchyard, projectId, steps } = await service()
    orchestrator.script = () => ({ exits: 0 })
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena', autoRestart: true })
    for (let step = 0; step < 5; step++) await steps()
    expect(orchestrator.launches).toHaveLength(3)
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({
      status: 'failed',
      exitCode: 0,
      stopReason: 'the game server exited with code 0 before it was ready',
    })
  })

  it('runs once it says so itself, whatever else is seen of it', async () => {
    const { orchestrator, matchyard, projectId, steps } = await service()
    orchestrator.script = () => ({ waitsFor: 'udp 7777 is not bound' })
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena', readiness: 'self' })
    await steps()
    expect(orchestrator.launches[0]).toMatchObject({ readiness: 'self', matchId: null })
    await matchyard.servers.selfReady({ projectId, instanceId, attempt: 1 })
    await steps()
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({
      status: 'running',
      readiness: 'self',
    })
  })
})
