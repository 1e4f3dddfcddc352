import assert from 'node:assert/strict'
import type { NodeLimits, WarmPool, WarmServers } from '@matchyard/core/ports'
import { warmKey } from '@matchyard/core/ports'
import { limitedArea, type OrchestratorUnderTest } from './harness'
import { assertGone, assertStarts, portsFor, running, seen, specFor, untilExit, untilState } from './launches'
import { eventually, refuses, reportOf, tell } from './probe-client'

type Body = (subject: OrchestratorUnderTest, pool: (more?: Partial<WarmPool>) => Promise<WarmPool>) => Promise<void>

/**
 * Makes a case about warm servers. An orchestrator without warm servers must declare that in its capabilities, and its
 * `keepWarm` must return an empty list.
 */
const it = (name: string, limits: NodeLimits | undefined, body: Body) =>
  limitedArea('warm')(name, limits, async (subject) => {
    const pool = (more: Partial<WarmPool> = {}) => poolFor(subject, more)
    if (subject.orchestrator.capabilities.keepsWarm) return body(subject, pool)
    assert.deepEqual(await subject.orchestrator.keepWarm([await pool()]), [])
    await running(subject)
    assert.equal((await subject.orchestrator.observe()).length, 1)
  })

async function poolFor(subject: OrchestratorUnderTest, more: Partial<WarmPool>): Promise<WarmPool> {
  const { projectId, region, tier, tierSize, build, startupArgs, portRequests, readiness } = await specFor(subject)
  const shape = { projectId, region, tier, tierSize, build, startupArgs, portRequests, readiness }
  return { ...shape, min: 0, buffer: 1, ...more }
}

/** Waits until `count` warm servers of a pool are ready, and returns the ids of these servers. */
const untilWaiting = (
  { orchestrator }: Pick<OrchestratorUnderTest, 'orchestrator'>,
  pool: WarmPool,
  count: number,
): Promise<readonly string[]> =>
  eventually(`${count} wait`, async () => {
    const there = waitingOf(await orchestrator.keepWarm([pool]), pool)
    return there.length === count ? there : undefined
  })

const waitingOf = (all: readonly WarmServers[], pool: WarmPool): readonly string[] =>
  all.find(({ key }) => key === warmKey(pool))?.ready ?? []

/**
 * Returns a launch spec that may take a warm server of the pool. When ports are known before the launch, the spec has
 * the ports of such a warm server.
 */
const specOf = async (subject: OrchestratorUnderTest, { min: _, buffer: __, ...shape }: WarmPool) =>
  specFor(subject, { ...shape, networkPorts: await portsFor(subject, shape.portRequests, warmKey(shape)) })

const launched = async (subject: OrchestratorUnderTest, pool: WarmPool) => {
  const spec = await specOf(subject, pool)
  assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
  const found = await untilState(subject.orchestrator, spec, 'ready')
  const networkPorts = found.networkPorts ?? spec.networkPorts
  const control = networkPorts.find(({ name }) => name === 'control')
  assert.ok(control)
  // A platform may write the configuration file a moment after a launch took the server. So the server reads the file
  // until it is complete.
  const report = await eventually('it has read what it is', async () => {
    const said = await reportOf(control)
    return said.config === '' ? undefined : said
  })
  return { spec, isWarm: found.warm !== undefined, control, report }
}

export const warmCases = [
  it(
    'what waits is seen by nobody, asked for again in vain, and becomes the launch that takes it',
    undefined,
    async (subject, pool) => {
      const wanted = await pool()
      const there = await untilWaiting(subject, wanted, 1)
      assert.deepEqual(await subject.orchestrator.observe(), [])
      const again = await Promise.all([1, 2, 3].map(() => subject.orchestrator.keepWarm([wanted])))
      for (const one of again) assert.deepEqual(waitingOf(one, wanted), there)
      const { spec, isWarm, report } = await launched(subject, wanted)
      assert.equal(isWarm, true)
      assert.deepEqual(JSON.parse(report.config), spec.config)
      assert.equal(report.configWritable, false)
      await assertStarts(subject.orchestrator, spec.instanceId, 1)
      // A new warm server replaces the taken warm server in the pool.
      assert.notDeepEqual(await untilWaiting(subject, wanted, 1), there)
    },
  ),

  it('one is given to one launch alone', undefined, async (subject, pool) => {
    const wanted = await pool()
    await untilWaiting(subject, wanted, 1)
    const specs = [await specOf(subject, wanted), await specOf(subject, wanted)]
    const results = await Promise.all(specs.map((spec) => subject.orchestrator.launch(spec)))
    for (const result of results) assert.deepEqual(result, { ok: true })
    const found = await Promise.all(specs.map((spec) => untilState(subject.orchestrator, spec, 'ready')))
    assert.equal(found.filter(({ warm }) => warm !== undefined).length, 1)
    for (const [index, { networkPorts }] of found.entries()) {
      const spec = specs[index]
      const control = (networkPorts ?? spec?.networkPorts)?.find(({ name }) => name === 'control')
      assert.ok(control)
      assert.deepEqual(JSON.parse((await reportOf(control)).config), spec?.config)
    }
  }),

  it('a launch of another shape takes none', undefined, async (subject, pool) => {
    const wanted = await pool()
    const there = await untilWaiting(subject, wanted, 1)
    const { isWarm } = await launched(subject, { ...wanted, startupArgs: '--say otherwise' })
    assert.equal(isWarm, false)
    assert.deepEqual(waitingOf(await subject.orchestrator.keepWarm([wanted]), wanted), there)
  }),

  it(
    'those that play count towards the least that there are, and go on when nobody wants any more of them',
    undefined,
    async (subject, pool) => {
      const wanted = await pool({ min: 2, buffer: 1 })
      await untilWaiting(subject, wanted, 2)
      const taken = await launched(subject, wanted)
      assert.equal(taken.isWarm, true)
      await untilWaiting(subject, wanted, 1)
      await eventually('none waits', async () => {
        await subject.orchestrator.keepWarm([])
        const there = waitingOf(await subject.orchestrator.keepWarm([{ ...wanted, min: 0, buffer: 0 }]), wanted)
        return there.length === 0
      })
      assert.equal((await reportOf(taken.control)).startId, taken.report.startId)
      assert.equal((await launched(subject, wanted)).isWarm, false)
    },
  ),

  it(
    'one that was taken is launched again in vain, stopped and told as any other',
    undefined,
    async (subject, pool) => {
      const wanted = await pool()
      await untilWaiting(subject, wanted, 1)
      const { spec, isWarm } = await launched(subject, wanted)
      assert.equal(isWarm, true)
      assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
      await assertStarts(subject.orchestrator, spec.instanceId, 1)
      await subject.orchestrator.stop(spec.instanceId, { graceMs: 10_000 })
      await untilExit(subject.orchestrator, spec)
      await subject.orchestrator.forget(spec.instanceId)
      assert.deepEqual(await seen(subject.orchestrator, spec.instanceId), [])
      const lines = await subject.orchestrator.logs(spec.instanceId, { limit: 100 })
      assert.ok(lines.some(({ message }) => message === 'asked to stop'))
      assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
      await assertGone(subject.orchestrator, spec)
    },
  ),

  it('a later attempt ends the one that was taken', undefined, async (subject, pool) => {
    const wanted = await pool()
    await untilWaiting(subject, wanted, 1)
    const { spec, report } = await launched(subject, wanted)
    const second = { ...spec, attempt: 2, networkPorts: await portsFor(subject, spec.portRequests) }
    assert.deepEqual(await subject.orchestrator.launch(second), { ok: true })
    const now = await untilState(subject.orchestrator, second, 'ready')
    const control = (now.networkPorts ?? second.networkPorts).find(({ name }) => name === 'control')
    assert.ok(control)
    assert.notEqual((await reportOf(control)).startId, report.startId)
  }),

  it('one that ends while it waits costs no launch anything', undefined, async (subject, pool) => {
    const wanted = await pool()
    await untilWaiting(subject, wanted, 1)
    const spec = await specOf(subject, wanted)
    const control = spec.networkPorts.find(({ name }) => name === 'control')
    if (control !== undefined) {
      await eventually('it listens', () => tell(control, { do: 'report' }))
      await tell(control, { do: 'exit', code: 1 })
      // A platform may list the server as running for a moment after its process has ended, but the server's port
      // refuses connections.
      await eventually('its port refuses connections', () => refuses(control))
    }
    const result = await subject.orchestrator.launch(spec)
    // The platform may hold the ports a moment longer. Then the test launches the same attempt with other ports.
    if (!result.ok) assert.equal(result.reason, 'address_in_use')
    const next = result.ok ? spec : { ...spec, networkPorts: await portsFor(subject, spec.portRequests) }
    if (!result.ok) assert.deepEqual(await subject.orchestrator.launch(next), { ok: true })
    const found = await untilState(subject.orchestrator, next, 'ready')
    assert.equal(found.warm !== undefined, control === undefined)
  }),

  it('the next service finds what waits, and what was taken', undefined, async (subject, pool) => {
    const wanted = await pool({ buffer: 2 })
    await untilWaiting(subject, wanted, 2)
    const before = await launched(subject, wanted)
    const there = await untilWaiting(subject, wanted, 2)
    const orchestrator = await subject.reopen()
    assert.deepEqual([...(await untilWaiting({ orchestrator }, wanted, 2))].sort(), [...there].sort())
    assert.notEqual((await untilState(orchestrator, before.spec, 'ready')).warm, undefined)
    assert.equal((await launched(subject, wanted)).isWarm, true)
    await assertStarts(orchestrator, before.spec.instanceId, 1)
  }),

  it(
    'where all notes are lost, what was taken goes on, and what can be told nothing any more is replaced',
    undefined,
    async (subject, pool) => {
      const wanted = await pool()
      await untilWaiting(subject, wanted, 1)
      const before = await launched(subject, wanted)
      await untilWaiting(subject, wanted, 1)
      const orchestrator = await subject.reopenWithoutData()
      await untilState(orchestrator, before.spec, 'ready')
      await untilWaiting({ orchestrator }, wanted, 1)
      const { isWarm, report, spec } = await launched(subject, wanted)
      assert.equal(isWarm, true)
      assert.deepEqual(JSON.parse(report.config), spec.config)
    },
  ),

  it('another installation on the machine has its own', undefined, async (subject, pool) => {
    const wanted = await pool()
    const there = await untilWaiting(subject, wanted, 1)
    const neighbour = await subject.neighbour()
    const theirs = await untilWaiting({ orchestrator: neighbour }, wanted, 1)
    assert.notDeepEqual(theirs, there)
    await neighbour.keepWarm([])
    assert.deepEqual(waitingOf(await subject.orchestrator.keepWarm([wanted]), wanted), there)
  }),

  it('what waits gives way where there is no room for both', { maxServers: 2 }, async (subject, pool) => {
    const wanted = await pool({ buffer: 3 })
    await untilWaiting(subject, wanted, 2)
    const other = { ...wanted, startupArgs: '--say otherwise' }
    assert.equal((await launched(subject, other)).isWarm, false)
    await untilWaiting(subject, wanted, 1)
    assert.equal((await launched(subject, wanted)).isWarm, true)
    await untilWaiting(subject, wanted, 0)
    const third = await subject.orchestrator.launch(await specFor(subject))
    assert.equal(third.ok, false)
  }),
]
