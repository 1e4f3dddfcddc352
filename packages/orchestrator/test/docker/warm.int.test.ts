import assert from 'node:assert/strict'
import { warmKey } from '@matchyard/core/ports'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import { containerName, LABEL, warmName } from '../../src/docker/labels'
import { type TestEngine, testEngine } from '../../src/docker/testing/engine'
import { type DockerUnderTest, dockerHarness } from '../../src/docker/testing/harness'

const { eventually, portsFor, seen, specFor, untilState, reportOf, port } = orchestratorProbe
const cases = new EngineCases<TestEngine>()

interface Bound {
  maxWarmServers?: number
}

/** `bound` may be changed by a test for the service's next start. */
const it = (name: string, body: (subject: DockerUnderTest, bound: Bound) => Promise<void>) =>
  cases.add(name, async (engine) => {
    const bound: Bound = {}
    const subject = await dockerHarness(engine, 'zip', bound).open()
    try {
      await body(subject, bound)
    } finally {
      await subject.dispose()
    }
  })

/** Returns a pool of one, and a launch with the ports of its warm server. */
async function oneWaiting(subject: DockerUnderTest) {
  const { projectId, region, tier, tierSize, build, startupArgs, portRequests, readiness } = await specFor(subject)
  const shape = { projectId, region, tier, tierSize, build, startupArgs, portRequests, readiness }
  const pool = { ...shape, min: 0, buffer: 1 }
  const [there] = await subject.orchestrator.keepWarm([pool])
  const warmId = there?.ready[0]
  assert.ok(warmId)
  const spec = await specFor(subject, { ...shape, networkPorts: await portsFor(subject, portRequests, warmKey(shape)) })
  return { pool, spec, warmId }
}

/**
 * Simulates a service that died after renaming: the container has the name of the launch, and an empty configuration
 * file.
 */
async function dieAfterNaming({ engine, installationId }: DockerUnderTest, warmId: string, instanceId: string) {
  const container = engine.docker.getContainer(warmName(installationId, warmId))
  await container.rename({ name: containerName(installationId, instanceId, 1) })
}

it('what was named and not told by a service that died is no launch yet, and becomes one', async (subject) => {
  const { spec, warmId } = await oneWaiting(subject)
  await dieAfterNaming(subject, warmId, spec.instanceId)
  const orchestrator = await subject.reopen()
  assert.deepEqual(await seen(orchestrator, spec.instanceId), [])
  assert.deepEqual(await orchestrator.launch(spec), { ok: true })
  assert.equal((await untilState(orchestrator, spec, 'ready')).warm, warmId)
  assert.deepEqual(JSON.parse((await reportOf(port(spec))).config), spec.config)
  assert.equal((await subject.containers()).length, 1)
})

it('what was named, not told, and has ended since is launched anew', async (subject) => {
  const { spec, warmId } = await oneWaiting(subject)
  await dieAfterNaming(subject, warmId, spec.instanceId)
  await subject.engine.docker.getContainer(containerName(subject.installationId, spec.instanceId, 1)).kill()
  const orchestrator = await subject.reopen()
  assert.deepEqual(await seen(orchestrator, spec.instanceId), [])
  assert.deepEqual(await orchestrator.launch(spec), { ok: true })
  assert.equal((await untilState(orchestrator, spec, 'ready')).warm, undefined)
  assert.deepEqual(JSON.parse((await reportOf(port(spec))).config), spec.config)
})

it('what ends while it waits is started again, and no sooner than after a pause', async (subject) => {
  const { pool } = await oneWaiting(subject)
  const ended = { ...pool, startupArgs: '--exit 1' }
  const { docker } = subject.engine
  const filters = { label: [`${LABEL.installation}=${subject.installationId}`] }
  const ends = async () =>
    (await docker.listContainers({ all: true, filters })).filter(({ State }) => State === 'exited')
  await subject.orchestrator.keepWarm([ended])
  await eventually('it has ended', async () => (await ends()).length === 1)
  // The ended server is removed, and not replaced for a while.
  for (let look = 0; look < 3; look++) assert.deepEqual((await subject.orchestrator.keepWarm([ended]))[0]?.ready, [])
  assert.deepEqual(await subject.containers(), [])
})

it('a bound that was lowered ends what is past it, and none is left at 0', async (subject, bound) => {
  const { pool } = await oneWaiting(subject)
  const two = { ...pool, buffer: 2 }
  const there = (await subject.orchestrator.keepWarm([two]))[0]?.ready ?? []
  assert.equal(there.length, 2)
  bound.maxWarmServers = 1
  const lower = await subject.reopen()
  const left = (await lower.keepWarm([two]))[0]?.ready ?? []
  assert.ok(left.length === 1 && there.includes(left[0] ?? ''))
  assert.equal((await subject.containers()).length, 1)
  bound.maxWarmServers = 0
  const none = await subject.reopen()
  assert.equal(none.capabilities.keepsWarm, false)
  assert.deepEqual(await subject.containers(), [])
})

cases.register(await testEngine())
