import { createMatchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

/** Returns a node with a build. */
async function service() {
  const clock = new FakeClock()
  const orchestrator = new FakeOrchestrator(clock)
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage: memoryStorage(), orchestrator })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  return { clock, orchestrator, matchyard, projectId }
}

/** Returns a running server, and a function that ends its process and lets the node observe the end. */
async function running(autoRestart: boolean) {
  const given = await service()
  const { matchyard, orchestrator, projectId } = given
  const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena', autoRestart })
  const look = async () => {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    await matchyard.worker.runDueJobs()
  }
  await look()
  const server = () => matchyard.servers.get({ projectId, instanceId })
  const end = async (how: Parameters<typeof orchestrator.exit>[1]) => {
    orchestrator.exit(instanceId, how)
    await look()
    return server()
  }
  return { ...given, instanceId, look, server, end }
}

describe('the record of a game server that crashed', () => {
  it('has the code, the signal and the last twenty lines, also after the restart', async () => {
    const { orchestrator, instanceId, clock, end, look, server } = await running(true)
    for (let line = 1; line <= 25; line++) orchestrator.print(instanceId, `line ${line}`)
    orchestrator.print(instanceId, 'a segment is missing', 'stderr')
    const at = clock.now()
    const crashed = await end({ code: null, signal: 'SIGSEGV' })
    expect(crashed.lastCrash).toMatchObject({ at, exitCode: null, exitSignal: 'SIGSEGV' })
    expect(crashed.lastCrash?.lines.map(({ message }) => message)).toEqual([
      ...Array.from({ length: 19 }, (_, index) => `line ${index + 7}`),
      'a segment is missing',
    ])
    clock.advance(5_000)
    await look()
    expect(await server()).toMatchObject({ status: 'running', attempt: 2, lastCrash: crashed.lastCrash })
  })

  it('has the report of a process that ended before it was ready', async () => {
    const { matchyard, orchestrator, projectId } = await service()
    orchestrator.script = (spec) => {
      orchestrator.print(spec.instanceId, 'libfoo.so: not found', 'stderr')
      return { exits: 127 }
    }
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    for (let attempt = 1; attempt <= 3; attempt++) {
      await matchyard.worker.runDueJobs()
      await matchyard.worker.reconcileServers()
    }
    await matchyard.worker.runDueJobs()
    const { status, lastCrash } = await matchyard.servers.get({ projectId, instanceId })
    expect({ status, code: lastCrash?.exitCode }).toEqual({ status: 'failed', code: 127 })
    expect(lastCrash?.lines.at(-1)).toMatchObject({ stream: 'stderr', message: 'libfoo.so: not found' })
  })

  it('is written without lines when the log cannot be read', async () => {
    const { orchestrator, end } = await running(false)
    orchestrator.logs = () => Promise.reject(new Error('the disk is gone'))
    expect(await end({ code: 3 })).toMatchObject({ status: 'failed', lastCrash: { exitCode: 3, lines: [] } })
  })

  it('has no report when the process ended as it should, or was stopped', async () => {
    const ended = await running(false)
    expect(await ended.end({ code: 0 })).not.toHaveProperty('lastCrash')
    const stopped = await running(false)
    await stopped.matchyard.servers.stop({ projectId: stopped.projectId, instanceId: stopped.instanceId })
    expect(await stopped.end({ code: null, signal: 'SIGKILL' })).not.toHaveProperty('lastCrash')
  })
})
