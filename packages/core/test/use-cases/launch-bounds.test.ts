import { describe, expect, it } from 'vitest'
import { service } from './service'

describe('a launch', () => {
  it('is tried three times, and has failed then', async () => {
    const { matchyard, projectId, orchestrator } = await service()
    const refusal = { ok: false, reason: 'retry', message: 'no room' } as const
    orchestrator.refusals.push(...Array.from({ length: 10 }, () => refusal))
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await matchyard.worker.runDueJobs()
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({
      status: 'failed',
      stopReason: 'no room',
    })
    expect(orchestrator.refusals).toHaveLength(7)
  })

  it('meets ports in use so many times in one run of its job, and has failed then', async () => {
    const { matchyard, projectId, orchestrator } = await service()
    const refusal = { ok: false, reason: 'address_in_use', message: 'port 7000 is in use' } as const
    orchestrator.refusals.push(...Array.from({ length: 100 }, () => refusal))
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await matchyard.worker.runDueJobs()
    expect(await matchyard.servers.get({ projectId, instanceId })).toMatchObject({
      status: 'failed',
      stopReason: 'no free ports were found',
    })
    // One round records an attempt, and the next one spawns it.
    expect(orchestrator.refusals).toHaveLength(100 - 32 / 2)
  })
})
