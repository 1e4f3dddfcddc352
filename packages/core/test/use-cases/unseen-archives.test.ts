import { createMatchyard } from '@matchyard/core'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeBuildStore, FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { uploadOf } from '../control-plane/service'

/** Returns a node that takes an upload, and another node with a different folder of builds. */
async function twoNodes() {
  const clock = new FakeClock()
  const data = emptyMemoryData()
  let lives = 0
  const start = async (nodeId: string) => {
    const orchestrator = new FakeOrchestrator(clock)
    const buildStore = new FakeBuildStore()
    const matchyard = createMatchyard({
      ...fakePlatform({ clock, seed: ++lives }),
      storage: memoryStorage({ data }),
      orchestrator,
      buildStore,
      nodeId,
    })
    await matchyard.open()
    return { matchyard, orchestrator, buildStore }
  }
  const [seeing, blind] = [await start('seeing'), await start('blind')]
  const { id: projectId } = await seeing.matchyard.projects.ensure({ name: 'arena' })
  const { build, uploadPath } = await seeing.matchyard.builds.createUpload({
    projectId,
    name: 'arena',
    executablePath: 'server',
  })
  await seeing.matchyard.builds.receiveUpload(uploadOf(uploadPath, ['zip']))
  blind.orchestrator.unseenArchives.add(build.id)
  const status = async () => (await seeing.matchyard.builds.get({ projectId, buildId: build.id })).status
  return { clock, seeing, blind, projectId, buildId: build.id, status }
}

/** Returns the two nodes with a ready build and a server to launch. */
async function withServer() {
  const given = await twoNodes()
  const { seeing, projectId } = given
  await seeing.matchyard.worker.runDueJobs()
  const { id: instanceId } = await seeing.matchyard.servers.create({ projectId, versionTag: 'arena' })
  const server = () => seeing.matchyard.servers.get({ projectId, instanceId })
  return { ...given, instanceId, server }
}

describe('a node that does not see an archive', () => {
  it('leaves the upload to a node that does', async () => {
    const { clock, seeing, blind, status } = await twoNodes()
    await blind.matchyard.worker.runDueJobs()
    expect(await status()).toBe('processing')
    expect(blind.matchyard.unseenArchives()).toBe(1)
    clock.advance(1_000)
    await seeing.matchyard.worker.runDueJobs()
    expect(await status()).toBe('ready')
    expect(seeing.matchyard.unseenArchives()).toBe(0)
  })

  it('says that the upload is gone when nobody has seen it for a minute', async () => {
    const { clock, blind, status } = await twoNodes()
    await blind.matchyard.worker.runDueJobs()
    clock.advance(59_000)
    await blind.matchyard.worker.runDueJobs()
    expect(await status()).toBe('processing')
    clock.advance(1_000)
    await blind.matchyard.worker.runDueJobs()
    expect(await status()).toBe('failed')
  })

  it('leaves the launch to another node, and that was no attempt', async () => {
    const { clock, seeing, blind, server } = await withServer()
    await blind.matchyard.worker.runDueJobs()
    expect(blind.orchestrator.launches).toEqual([])
    expect(await server()).toMatchObject({ status: 'launching', nodeId: null, attempt: 0 })
    clock.advance(1_000)
    await seeing.matchyard.worker.runDueJobs()
    expect(seeing.orchestrator.launches).toHaveLength(1)
    expect(await server()).toMatchObject({ nodeId: 'seeing', attempt: 1 })
  })

  it('holds up no launch of another build', async () => {
    const { blind, server, projectId } = await withServer()
    await blind.matchyard.builds.registerImage({ projectId, name: 'image', imageUrl: 'games/image:1' })
    await blind.matchyard.worker.runDueJobs()
    const other = await blind.matchyard.servers.create({ projectId, versionTag: 'image' })
    await blind.matchyard.worker.runDueJobs()
    expect(blind.orchestrator.launches.map(({ instanceId }) => instanceId)).toEqual([other.id])
    expect(await server()).toMatchObject({ attempt: 0 })
  })

  it('says so when the time for the launch is over', async () => {
    const { clock, blind, server, buildId } = await withServer()
    await blind.matchyard.worker.runDueJobs()
    clock.advance(200_000)
    await blind.matchyard.worker.runDueJobs()
    const stopReason = expect.stringContaining(`this node does not have the archive of ${buildId}`)
    expect(await server()).toMatchObject({ status: 'failed', stopReason })
  })
})
