import { createMatchyard } from '@matchyard/core'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

/** Returns one cluster for all nodes of the service: it assigns ports itself, and every node observes its servers. */
async function cluster() {
  const clock = new FakeClock()
  const orchestrator = Object.assign(new FakeOrchestrator(clock), { sharedAs: 'cluster' })
  orchestrator.givesPortsLater = true
  const data = emptyMemoryData()
  let lives = 0
  const node = async (nodeId: string) => {
    const platform = fakePlatform({ clock, seed: ++lives })
    const matchyard = createMatchyard({ ...platform, storage: memoryStorage({ data }), orchestrator, nodeId })
    await matchyard.open()
    return matchyard
  }
  const first = await node('first')
  const { id: projectId } = await first.projects.ensure({ name: 'arena' })
  await first.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await first.worker.runDueJobs()
  const networkPorts = [{ name: 'game', protocol: 'udp' as const, internalPort: 7_777, tlsEnabled: false }]
  const create = () => first.servers.create({ projectId, versionTag: 'arena', networkPorts })
  return { clock, orchestrator, node, first, projectId, create }
}

describe('ports that come later', () => {
  it('are not in the file or the record before the launch, and are in the record when it runs', async () => {
    const { orchestrator, first, projectId, create } = await cluster()
    orchestrator.script = () => 'starting'
    const { id: instanceId } = await create()
    await first.worker.runDueJobs()
    const [launched] = orchestrator.launches
    expect(launched?.networkPorts).toEqual([])
    expect(launched?.portRequests.map(({ internalPort }) => internalPort)).toEqual([7_777])
    expect(launched?.config.network_ports).toEqual([])
    await first.worker.reconcileServers()
    const starting = await first.servers.get({ projectId, instanceId })
    expect(starting).toMatchObject({ status: 'launching', networkPorts: [{ name: 'game', internalPort: 7_777 }] })
    orchestrator.makeReady(instanceId)
    await first.worker.reconcileServers()
    expect(await first.servers.get({ projectId, instanceId })).toMatchObject({
      status: 'running',
      networkPorts: starting.networkPorts,
    })
  })
})

describe('ports that change', () => {
  it('are told of two servers that were restarted and were given each other’s', async () => {
    const { clock, orchestrator, first, projectId, create } = await cluster()
    const both = [await create(), await create()].map(({ id }) => id)
    const looked = async () => {
      await first.worker.runDueJobs()
      await first.worker.reconcileServers()
    }
    const ports = () =>
      Promise.all(
        both.map(async (instanceId) =>
          (await first.servers.get({ projectId, instanceId })).networkPorts.map(({ externalPort }) => externalPort),
        ),
      )
    await looked()
    const [one = [], other = []] = await ports()
    expect(one).not.toEqual(other)
    const observe = orchestrator.observe.bind(orchestrator)
    orchestrator.observe = async () =>
      (await observe()).map((seen) => {
        const [port] = (seen.instanceId === both[0] ? other : one).map(Number)
        const networkPorts = seen.networkPorts?.map((its) => ({ ...its, externalPort: port ?? 0 }))
        return seen.attempt === 1 || networkPorts === undefined ? seen : { ...seen, networkPorts }
      })
    for (const instanceId of both) await first.servers.restart({ projectId, instanceId })
    for (let look = 0; look < 5; look++) {
      clock.advance(1_000)
      await looked()
    }
    expect(await ports()).toEqual([other, one])
    for (const instanceId of both) {
      expect(await first.servers.get({ projectId, instanceId })).toMatchObject({ status: 'running', attempt: 2 })
    }
  })
})

describe('an orchestrator that all nodes share', () => {
  it('has its servers belong to all: another node sees them run, ends none as a stray, and stops them when asked', async () => {
    const { orchestrator, node, first, projectId, create } = await cluster()
    const { id: instanceId } = await create()
    await first.worker.runDueJobs()
    await first.worker.reconcileServers()
    const second = await node('second')
    await second.worker.reconcileServers()
    const status = async () => (await second.servers.get({ projectId, instanceId })).status
    expect(await status()).toBe('running')
    orchestrator.exit(instanceId, { code: 3 })
    await second.worker.reconcileServers()
    expect(await second.servers.get({ projectId, instanceId })).toMatchObject({ status: 'failed', exitCode: 3 })
  })

  it('takes no word of a server for its own before players can come', async () => {
    const { orchestrator, first, projectId, create } = await cluster()
    orchestrator.script = () => 'starting'
    const { id: instanceId } = await create()
    await first.worker.runDueJobs()
    const self = { projectId, instanceId, attempt: 1 }
    await expect(first.servers.selfReady(self)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await first.worker.reconcileServers()
    await first.servers.selfReady(self)
    expect((await first.servers.get({ projectId, instanceId })).status).toBe('running')
  })

  it('loses none of them with the node that launched them', async () => {
    const { clock, node, first, projectId, create } = await cluster()
    const { id: instanceId } = await create()
    await first.worker.runDueJobs()
    await first.worker.reconcileServers()
    // The first node is silent from now on.
    const second = await node('second')
    for (let look = 0; look < 24; look++) {
      clock.advance(5_000)
      await second.worker.watchNodes()
      await second.worker.reconcileServers()
      await second.worker.runDueJobs()
    }
    expect((await second.servers.get({ projectId, instanceId })).status).toBe('running')
  })
})
