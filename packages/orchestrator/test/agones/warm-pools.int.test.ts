import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LaunchSpec, Orchestrator, WarmPool } from '@matchyard/core/ports'
import { FakeLogger } from '@matchyard/testkit'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { afterEach, expect, test } from 'vitest'
import { agonesOrchestrator } from '../../src/agones/agones-orchestrator'
import { ANNOTATION, LABEL } from '../../src/agones/names'
import { ROLE_RULES } from '../../src/agones/rights'
import { testCluster } from '../../src/agones/testing/index'
import { FLEETS, GAMESERVERS, type KubeObject, PODS } from '../../src/agones/testing/kubernetes/objects'
import { launchSpec } from './launch-spec'

const { eventually } = orchestratorProbe
const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** Makes a cluster whose containers do nothing, and a service on it whose clock the test can move. */
async function setting(options: { maxWarmServers?: number } = {}) {
  const cluster = await testCluster()
  ending.push(() => cluster.close())
  const folder = mkdtempSync(join(tmpdir(), 'warm-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
  const logger = new FakeLogger()
  let turned = 0
  const start = async (): Promise<Orchestrator> => {
    const clock = { now: () => Date.now() + turned }
    const one = agonesOrchestrator({ installationId: 'ins', kubeconfig, clock, logger, ...options })
    ending.push(() => one.close())
    await one.open()
    return one
  }
  const all = (of: typeof PODS): KubeObject[] => cluster.api.store.list(of, cluster.namespace)
  const told = () => all(PODS).filter(({ metadata }) => metadata.annotations?.[ANNOTATION.configuration] !== undefined)
  const turn = (ms: number) => {
    turned += ms
  }
  return { cluster, start, all, told, turn, logger }
}

const { instanceId: _, attempt: __, matchId: ___, networkPorts: ____, config: _____, ...shape } = launchSpec()
const pool = (more: Partial<WarmPool> = {}): WarmPool => ({ ...shape, min: 0, buffer: 1, ...more })

/** Asks for the pools again and again, until the given numbers of game servers wait. */
const untilWaiting = (orchestrator: Orchestrator, pools: readonly WarmPool[], counts: readonly number[]) =>
  eventually(`${counts} wait`, async () => {
    const there = await orchestrator.keepWarm(pools)
    return there.map(({ ready }) => ready.length).join() === counts.join() || undefined
  })

const untilObserved = (orchestrator: Orchestrator, { instanceId }: LaunchSpec, state: string) =>
  eventually(`${instanceId} is ${state}`, async () => {
    const found = (await orchestrator.observe(instanceId)).filter((one) => one.instanceId === instanceId)
    return found.length === 1 && found[0]?.state === state ? found[0] : undefined
  })

test('no more wait than the operator allows, and each pool has some', async () => {
  const { start, all } = await setting({ maxWarmServers: 3 })
  const orchestrator = await start()
  const pools = [pool({ buffer: 5 }), pool({ buffer: 5, startupArgs: '--other' })]
  await untilWaiting(orchestrator, pools, [2, 1])
  expect(all(FLEETS).map(({ spec }) => spec.replicas)).toEqual([2, 1])
})

test('servers whose variables contain secrets start only with their match', async () => {
  const { start, all } = await setting()
  const orchestrator = await start()
  expect(orchestrator.capabilities.keepsSecretsCold).toBe(true)
  const secret = { environment: { A: 'hidden' }, secretVariables: ['A'], environmentKey: 'key' }
  const there = await orchestrator.keepWarm([pool(secret), pool()])
  expect(there).toHaveLength(1)
  expect(JSON.stringify(all(FLEETS))).not.toContain('hidden')
})

test('a configuration that no annotation holds is launched cold', async () => {
  const { start, told } = await setting()
  const orchestrator = await start()
  await untilWaiting(orchestrator, [pool()], [1])
  const spec = launchSpec({ config: { large: 'x'.repeat(200_000) } })
  expect(await orchestrator.launch(spec)).toEqual({ ok: true })
  expect((await untilObserved(orchestrator, spec, 'ready')).warm).toBe(undefined)
  expect(told()).toEqual([])
})

test('of two that were given to one attempt, by two nodes or by Agones, one is told, and the other goes', async () => {
  const { cluster, start, all, told } = await setting()
  const nodes = [await start(), await start()]
  for (let round = 1; round <= 20; round++) {
    for (const node of nodes) await untilWaiting(node, [pool({ buffer: 3 })], [3])
    if (round % 3 === 0) cluster.server.faults.judgeAllocation = () => 'twice'
    const spec = launchSpec({ instanceId: `srv_${round}`, config: { round } })
    const answers = await Promise.all(nodes.map((node) => node.launch(spec)))
    expect(answers).toEqual([{ ok: true }, { ok: true }])
    cluster.server.faults.clear()
    const pods = told().filter(({ metadata }) => metadata.annotations?.[ANNOTATION.instance] === spec.instanceId)
    expect(pods.map(({ metadata }) => metadata.annotations?.[ANNOTATION.configuration])).toEqual([
      JSON.stringify({ round }, undefined, 2),
    ])
    // Agones may have allocated a second game server. It is removed by the next launch, or with the server itself.
    const observed = (await nodes[0]?.observe(spec.instanceId)) ?? []
    expect(observed.filter(({ instanceId }) => instanceId === spec.instanceId)).toHaveLength(1)
    await nodes[1]?.stop(spec.instanceId, { graceMs: 0 })
    await eventually('it has ended', async () => {
      const [one] = (await nodes[0]?.observe(spec.instanceId)) ?? []
      if (one?.state === 'exited') await nodes[0]?.forget(spec.instanceId)
      const left = all(GAMESERVERS).filter(
        ({ metadata }) => metadata.annotations?.[ANNOTATION.instance] === spec.instanceId,
      )
      return left.length === 0 || undefined
    })
  }
})

test('of a cold one and one that waited, made for one attempt by two nodes, one runs', async () => {
  const { start, all, told } = await setting()
  const [knowing, unknowing] = [await start(), await start()]
  for (let round = 1; round <= 20; round++) {
    await untilWaiting(knowing, [pool()], [1])
    const spec = launchSpec({ instanceId: `srv_${round}` })
    await Promise.all([knowing.launch(spec), unknowing.launch(spec)])
    await untilObserved(knowing, spec, 'ready')
    const its = all(PODS).filter(({ metadata }) => metadata.annotations?.[ANNOTATION.instance] === spec.instanceId)
    const cold = its.filter(
      ({ metadata, status }) =>
        metadata.labels?.[LABEL.pool] === undefined &&
        status.containerStatuses?.some(({ state }: KubeObject) => state.running !== undefined),
    )
    const warm = told().filter(({ metadata }) => metadata.annotations?.[ANNOTATION.instance] === spec.instanceId)
    expect(cold.length + warm.length).toBe(1)
  }
})

test('a fleet that nobody wants lets those play that play, and goes when the last has ended', async () => {
  const { start, all } = await setting()
  const orchestrator = await start()
  await untilWaiting(orchestrator, [pool()], [1])
  const spec = launchSpec()
  await orchestrator.launch(spec)
  await eventually('none waits', async () => {
    await orchestrator.keepWarm([])
    return all(GAMESERVERS).length === 1 || undefined
  })
  expect((await untilObserved(orchestrator, spec, 'ready')).warm).toBeDefined()
  expect(all(FLEETS)).toHaveLength(1)
  await orchestrator.stop(spec.instanceId, { graceMs: 0 })
  await untilObserved(orchestrator, spec, 'exited')
  await orchestrator.forget(spec.instanceId)
  await eventually('the fleet is gone', async () => {
    await orchestrator.keepWarm([])
    return all(FLEETS).length === 0 || undefined
  })
})

/** The rules of the role without those about fleets. */
const withoutFleets = ROLE_RULES.filter(({ resources }) => !resources.includes('fleets'))

test.each([
  { what: 'a right that the role lacks', rules: withoutFleets, fate: 'pass', words: /fleets.* is forbidden: User/ },
  { what: 'what the cluster cannot do', rules: ROLE_RULES, fate: 'error', words: /etcdserver/ },
] as const)('$what is told once, and matches are launched without', async ({ rules, fate, words }) => {
  const { cluster, start, logger } = await setting()
  cluster.api.rules = rules
  const orchestrator = await start()
  cluster.server.faults.judge = ({ resource }) => (resource === 'fleets' ? fate : 'pass')
  for (let look = 0; look < 3; look++) expect((await orchestrator.keepWarm([pool()]))[0]?.ready).toEqual([])
  const told = logger.lines.filter(({ message }) => message.includes('cannot be seen to'))
  expect(told).toHaveLength(1)
  expect(told[0]?.fields.error).toMatch(words)
  expect(await orchestrator.launch(launchSpec())).toEqual({ ok: true })
  expect(cluster.api.denied.every(({ resource }) => resource === 'fleets')).toBe(true)
})

test('one that plays, and makes itself Ready by Agones’ SDK, is given to nobody else, and not taken away', async () => {
  const { cluster, start, all } = await setting()
  const orchestrator = await start()
  await untilWaiting(orchestrator, [pool()], [1])
  const spec = launchSpec()
  await orchestrator.launch(spec)
  const [playing] = all(GAMESERVERS).filter(({ metadata }) => metadata.labels?.[LABEL.instance] !== undefined)
  const { name = '', namespace = '' } = playing?.metadata ?? {}
  const readied = (object: KubeObject) => ({ ...object, status: { ...object.status, state: 'RequestReady' } })
  cluster.api.store.update(GAMESERVERS, namespace, name, readied)
  await eventually('it is nobody’s but its own', async () => {
    const now = cluster.api.store.find(GAMESERVERS, namespace, name)
    return (now?.status.state === 'Ready' && now.metadata.ownerReferences?.length === 0) || undefined
  })
  const second = launchSpec({ instanceId: 'srv_2' })
  await orchestrator.launch(second)
  await untilObserved(orchestrator, second, 'ready')
  await eventually('no fleet is left', async () => {
    await orchestrator.keepWarm([])
    if ((await orchestrator.observe('srv_2')).length > 0) {
      await orchestrator.stop('srv_2', { graceMs: 0 })
      await orchestrator.forget('srv_2')
    }
    return all(FLEETS).length === 0 || undefined
  })
  expect((await untilObserved(orchestrator, spec, 'ready')).warm).toMatch(/^warm-/)
})

test('what waits goes where nothing may wait any more', async () => {
  const options = { maxWarmServers: 2 }
  const { start, all } = await setting(options)
  const before = await start()
  await untilWaiting(before, [pool()], [1])
  await before.close()
  options.maxWarmServers = 0
  const after = await start()
  await eventually('no fleet is left', async () => {
    await after.prune()
    return all(FLEETS).length === 0 || undefined
  })
})

test.each(['gameservers.agones.dev', 'pods'])(
  'a quota of %s that refuses a launch has what waits go, and the launch comes again',
  async (what) => {
    const { cluster, start, turn } = await setting()
    const [orchestrator, elsewhere] = [await start(), await start()]
    await untilWaiting(orchestrator, [pool()], [1])
    cluster.api.quotas.set(`count/${what}`, 1)
    const other = launchSpec({ startupArgs: '--other' })
    expect(await orchestrator.launch(other)).toMatchObject({ ok: false, reason: 'no_room' })
    await untilWaiting(orchestrator, [pool()], [0])
    // Another node learns of the refusal, and does not fill the pool again.
    await untilWaiting(elsewhere, [pool()], [0])
    await eventually('there is room', async () => (await orchestrator.launch(other)).ok || undefined)
    turn(30_000)
    cluster.api.quotas.clear()
    await untilWaiting(orchestrator, [pool()], [1])
  },
)

test('what was taken, and never told by a service that died, is told by the next that launches it', async () => {
  const { cluster, start, told } = await setting()
  const first = await start()
  await untilWaiting(first, [pool()], [1])
  const spec = launchSpec({ config: { a: 1 } })
  let calls = 0
  // The service dies right after its allocation.
  cluster.server.faults.judge = ({ resource }) =>
    resource === 'gameserverallocations' || calls++ < 3 ? 'pass' : 'down'
  await expect(first.launch(spec)).rejects.toThrow(/cannot be used now/)
  await first.close()
  cluster.server.faults.clear()
  const next = await start()
  expect(await untilObserved(next, spec, 'starting')).toMatchObject({
    warm: expect.any(String),
    waitsFor: expect.stringMatching(/not been told/),
  })
  expect(told()).toEqual([])
  expect(await next.launch(spec)).toEqual({ ok: true })
  expect((await untilObserved(next, spec, 'ready')).warm).toMatch(/^warm-/)
})

test('what was taken, and is asked for by nobody any more, is told as ended', async () => {
  const { cluster, start, turn } = await setting()
  const orchestrator = await start()
  await untilWaiting(orchestrator, [pool()], [1])
  const spec = launchSpec()
  let calls = 0
  cluster.server.faults.judge = ({ resource }) =>
    resource === 'gameserverallocations' || calls++ < 3 ? 'pass' : 'down'
  await expect(orchestrator.launch(spec)).rejects.toThrow()
  cluster.server.faults.clear()
  turn(120_000)
  const { exit } = await untilObserved(orchestrator, spec, 'exited')
  expect(exit?.reason).toBe('configuration_deleted')
  await orchestrator.forget(spec.instanceId)
  expect(await orchestrator.observe()).toEqual([])
})

test('an allocation that always answers 500 keeps no match waiting: it is launched cold, and warm again later', async () => {
  const { cluster, start, turn, told } = await setting()
  const orchestrator = await start()
  await untilWaiting(orchestrator, [pool()], [1])
  cluster.server.faults.judge = ({ resource }) => (resource === 'gameserverallocations' ? 'error' : 'pass')
  const spec = launchSpec()
  // The allocation may have succeeded without an answer. So the launch rejects, and the next try first looks for a game
  // server of this attempt.
  await expect(orchestrator.launch(spec)).rejects.toThrow(/cannot be used now/)
  expect(await orchestrator.launch(spec)).toEqual({ ok: true })
  expect((await untilObserved(orchestrator, spec, 'ready')).warm).toBe(undefined)
  expect(told()).toEqual([])
  cluster.server.faults.clear()
  turn(30_000)
  const later = launchSpec({ instanceId: 'srv_2' })
  expect(await orchestrator.launch(later)).toEqual({ ok: true })
  expect((await untilObserved(orchestrator, later, 'ready')).warm).toMatch(/^warm-/)
})

test('where a policy lets no pod be written, what waits is left alone, and the match is launched cold', async () => {
  const { cluster, start, logger, told } = await setting()
  const orchestrator = await start()
  await untilWaiting(orchestrator, [pool()], [1])
  cluster.api.rules = ROLE_RULES.map((rule) =>
    rule.resources.includes('pods') ? { ...rule, verbs: rule.verbs.filter((verb) => verb !== 'patch') } : rule,
  )
  const spec = launchSpec()
  expect(await orchestrator.launch(spec)).toEqual({ ok: true })
  expect((await untilObserved(orchestrator, spec, 'ready')).warm).toBe(undefined)
  expect(told()).toEqual([])
  expect(logger.lines.filter(({ message }) => message.includes('launched without'))).toHaveLength(1)
})

test.each([
  { how: 'waits', pools: [pool()] },
  { how: 'is made', pools: [] },
])(
  'a quota of secrets that keeps the configuration out is told as room, and nothing stays of what $how',
  async ({ pools }) => {
    const { cluster, start, all } = await setting()
    const orchestrator = await start()
    await untilWaiting(
      orchestrator,
      pools,
      pools.map(() => 1),
    )
    cluster.api.quotas.set('count/secrets', 0)
    const spec = launchSpec()
    expect(await orchestrator.launch(spec)).toMatchObject({
      ok: false,
      reason: 'no_room',
      message: expect.stringMatching(/quota/),
    })
    const made = all(GAMESERVERS).filter(({ metadata }) => metadata.annotations?.[ANNOTATION.instance] !== undefined)
    expect(made.filter(({ metadata }) => metadata.deletionTimestamp === undefined)).toEqual([])
    // Agones' controller removes its own finalizer, once the pod is gone.
    await eventually('it is gone', async () => {
      const names = new Set(all(GAMESERVERS).map(({ metadata }) => metadata.name))
      return made.every(({ metadata }) => !names.has(metadata.name)) || undefined
    })
    cluster.api.quotas.clear()
    expect(await orchestrator.launch(spec)).toEqual({ ok: true })
    await untilObserved(orchestrator, spec, 'ready')
    // The claim is older than the quota: a repeated launch is the same launch.
    cluster.api.quotas.set('count/secrets', 0)
    expect(await orchestrator.launch(spec)).toEqual({ ok: true })
    expect((await orchestrator.observe(spec.instanceId)).map(({ state }) => state)).toEqual(['ready'])
  },
)
