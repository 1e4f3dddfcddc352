import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMatchyard } from '@matchyard/core'
import type { Orchestrator } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { agonesIn } from '../../src/agones/agones-orchestrator'
import { examineClusters } from '../../src/agones/examine-clusters'
import { GAMESERVERS, SECRETS, type TestCluster, testCluster } from '../../src/agones/testing/index'
import { launchSpec } from './launch-spec'

/** Milliseconds for which a cluster that is away is reported from memory. */
const REMEMBERED_MS = 120_000
const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/**
 * Makes a proxy to a cluster. `closed`: the proxy ends connections. `silent`: the proxy drops all data, and connections
 * stay open.
 */
async function wayTo(cluster: TestCluster) {
  let state: 'open' | 'closed' | 'silent' = 'open'
  const there = Number(new URL(cluster.url).port)
  const sockets = new Set<Socket>()
  const server = createServer((from) => {
    sockets.add(from)
    from.once('close', () => sockets.delete(from)).on('error', () => {})
    if (state === 'closed') return void from.destroy()
    const to = connect(there, '127.0.0.1').on('error', () => from.destroy())
    from.once('close', () => to.destroy())
    from.on('data', (chunk) => state === 'open' && to.write(chunk))
    to.on('data', (chunk) => state === 'open' && from.write(chunk))
    to.once('close', () => state === 'open' && from.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  ending.push(() => {
    cut()
    server.close()
  })
  const become = async (next: typeof state) => {
    state = next
    if (next !== 'silent') cut()
    await sleep(50)
  }
  return { port: (server.address() as AddressInfo).port, become }
}

/**
 * Starts two clusters with one region each; the far cluster can be made unreachable. `start`: starts a service on both.
 */
async function twoClusters() {
  const [near, far] = [await testCluster(), await testCluster()]
  ending.push(
    () => near.close(),
    () => far.close(),
  )
  const { port, become } = await wayTo(far)
  const folder = mkdtempSync(join(tmpdir(), 'regions-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  const kubeconfig = join(folder, 'kubeconfig')
  const [config, other] = [JSON.parse(near.kubeconfig('east')), JSON.parse(near.kubeconfig('europe'))]
  config.clusters.push({ name: 'far', cluster: { ...config.clusters[0].cluster, server: `http://127.0.0.1:${port}` } })
  config.contexts.push({ ...other.contexts[0], context: { ...other.contexts[0].context, cluster: 'far' } })
  writeFileSync(kubeconfig, JSON.stringify(config))
  let turned = 0
  const choice = { kubeconfig, regions: { iad: 'east', fra: 'europe' } }
  const start = async (regions: Readonly<Record<string, string>> = choice.regions): Promise<Orchestrator> => {
    const one = agonesIn(
      { installationId: 'ins', kubeconfig, regions, clock: { now: () => Date.now() + 2_000 } },
      {
        pauses: {
          now: () => performance.now() + turned,
          pause: (ms, signal) => sleep(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }),
        },
        knock: async () => 'accepts',
      },
    )
    ending.push(() => one.close())
    await one.open()
    return one
  }
  /** Lets time pass; a cluster that is reachable sends a bookmark. */
  const turn = async (ms: number) => {
    turned += ms
    near.server.bookmark()
    far.server.bookmark()
    await sleep(50)
  }
  return { near, far, choice, start, turn, become }
}

const HERE = { region: 'iad' } as const
const THERE = { region: 'fra' } as const
const here = (instanceId: string) => launchSpec({ instanceId, ...HERE })
const there = (instanceId: string) => launchSpec({ instanceId, ...THERE })
const instancesIn = ({ api, namespace }: TestCluster) =>
  api.store.list(GAMESERVERS, namespace).map(({ metadata }) => metadata.annotations?.['matchyard.dev/instance'])
const observed = async (orchestrator: Orchestrator) =>
  (await orchestrator.observe()).map(({ instanceId, state }) => `${instanceId} ${state}`).sort()

/** Starts one server in each region, and waits until both are ready. */
async function bothRunning() {
  const around = await twoClusters()
  const orchestrator = await around.start()
  expect(await orchestrator.launch(here('srv_here'))).toEqual({ ok: true })
  expect(await orchestrator.launch(there('srv_there'))).toEqual({ ok: true })
  await expect.poll(() => observed(orchestrator)).toEqual(['srv_here ready', 'srv_there ready'])
  return { ...around, orchestrator }
}

/** Carries out all operations on a server of the reachable region, in less than 5 seconds in all. */
async function wholeLifeHere(orchestrator: Orchestrator, instanceId: string): Promise<void> {
  const begun = performance.now()
  expect(await orchestrator.observe(instanceId, HERE)).toEqual([])
  expect(await orchestrator.launch(here(instanceId))).toEqual({ ok: true })
  await expect.poll(async () => (await orchestrator.observe(instanceId, HERE))[0]?.state).toBe('ready')
  await orchestrator.logs(instanceId, { limit: 10, ...HERE })
  await orchestrator.stop(instanceId, { graceMs: 1_000, ...HERE })
  await expect.poll(async () => (await orchestrator.observe(instanceId, HERE))[0]?.state).toBe('exited')
  await orchestrator.forget(instanceId, HERE)
  expect(await orchestrator.observe(instanceId, HERE)).toEqual([])
  expect(performance.now() - begun).toBeLessThan(5_000)
}

/** Returns calls of all operations on a server of the unreachable region. */
const asksThere = (orchestrator: Orchestrator): (() => Promise<unknown>)[] => [
  () => orchestrator.launch(there('srv_late')),
  () => orchestrator.observe('srv_there', THERE),
  () => orchestrator.stop('srv_there', { graceMs: 0, ...THERE }),
  () => orchestrator.forget('srv_there', THERE),
  () => orchestrator.logs('srv_there', { limit: 10, ...THERE }),
]

describe('each region has its cluster', () => {
  test('a launch goes there, and a region that none runs is refused for good', async () => {
    const { near, far, orchestrator } = await bothRunning()
    expect([instancesIn(near), instancesIn(far)]).toEqual([['srv_here'], ['srv_there']])
    const elsewhere = launchSpec({ instanceId: 'srv_none', region: 'syd' })
    const message = 'no cluster of this installation runs the region syd'
    expect(await orchestrator.launch(elsewhere)).toEqual({ ok: false, reason: 'final', message })
    const wish = { ...elsewhere, archiveOf: null, held: async () => [] }
    expect(await orchestrator.admit(wish)).toEqual({ ok: false, reason: 'too_large', message })
  })

  test('a call about one of its servers asks that one alone', async () => {
    const { near, far, orchestrator } = await bothRunning()
    let asked = 0
    near.server.faults.judge = ({ verb }) => {
      if (verb !== 'watch') asked++
      return 'pass'
    }
    for (const ask of asksThere(orchestrator)) await ask()
    expect(asked).toBe(0)
    expect(instancesIn(far)).toContain('srv_late')
  })

  test('what plays where its region was before is found, and ends', async () => {
    const { far, start } = await bothRunning()
    const next = await start({ iad: 'east', fra: 'east', ams: 'europe' })
    expect(await next.observe('srv_there', THERE)).toMatchObject([{ state: 'ready' }])
    await next.stop('srv_there', { graceMs: 0, ...THERE })
    await expect.poll(async () => (await next.observe('srv_there', THERE))[0]?.state).toBe('exited')
    await next.forget('srv_there', THERE)
    expect(instancesIn(far)).toEqual([])
  })
})

describe('a cluster that is closed', () => {
  test('keeps nobody from what is in another one, and nothing of it is told as ended', async () => {
    const { become, orchestrator, turn, far } = await bothRunning()
    await become('closed')
    await wholeLifeHere(orchestrator, 'srv_life')
    expect(await observed(orchestrator)).toEqual(['srv_here ready', 'srv_there ready'])
    for (const ask of asksThere(orchestrator)) {
      await expect(ask()).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringMatching(/the cluster europe cannot be used now: /),
      })
    }
    await turn(REMEMBERED_MS + 1_000)
    expect(await observed(orchestrator)).toEqual(['srv_here ready'])
    await expect(orchestrator.observe('srv_there', THERE)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await wholeLifeHere(orchestrator, 'srv_next')
    await become('open')
    await expect.poll(() => observed(orchestrator), { timeout: 20_000 }).toContain('srv_there ready')
    expect(instancesIn(far)).toEqual(['srv_there'])
  }, 40_000)

  test('before the service was ever there: it begins, and goes on when that one comes', async () => {
    const { become, start } = await twoClusters()
    await become('closed')
    const orchestrator = await start()
    await wholeLifeHere(orchestrator, 'srv_life')
    await orchestrator.launch(here('srv_here'))
    await expect.poll(() => observed(orchestrator)).toEqual(['srv_here ready'])
    await become('open')
    await expect
      .poll(async () => (await orchestrator.launch(there('srv_there')).catch(() => ({ ok: false }))).ok)
      .toBe(true)
    await expect.poll(() => observed(orchestrator), { timeout: 20_000 }).toEqual(['srv_here ready', 'srv_there ready'])
  }, 40_000)

  test('is no hindrance to one of which there is no record: it is ended where it is known to be', async () => {
    const { become, orchestrator, near } = await bothRunning()
    await become('closed')
    await orchestrator.stop('srv_here', { graceMs: 0 })
    await expect.poll(async () => (await orchestrator.observe('srv_here'))[0]?.state).toBe('exited')
    await orchestrator.forget('srv_here')
    expect(instancesIn(near)).toEqual([])
    // An unreachable cluster may run a server that the service has not seen, so its state is unknown.
    await expect(orchestrator.observe('srv_never')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  test('holds back no lines of another one, also where the region is not said', async () => {
    const { become, orchestrator, near } = await bothRunning()
    near.api.podLog = () => '2030-01-01T00:00:00Z it began\n'
    await become('closed')
    expect(await orchestrator.logs('srv_here', { limit: 10 })).toMatchObject([{ message: 'it began' }])
    expect(await orchestrator.logs('srv_here', { limit: 10, ...HERE })).toMatchObject([{ message: 'it began' }])
  })

  test('is pruned another time, and the other one now', async () => {
    const { become, orchestrator, near } = await bothRunning()
    await become('closed')
    await orchestrator.stop('srv_here', { graceMs: 0 })
    await expect.poll(async () => (await orchestrator.observe('srv_here', HERE))[0]?.state).toBe('exited')
    await orchestrator.forget('srv_here', HERE)
    let wasAsked = false
    near.server.faults.judge = ({ verb, resource }) => {
      wasAsked ||= verb === 'list' && resource === SECRETS.plural
      return 'pass'
    }
    await orchestrator.prune()
    expect(wasAsked).toBe(true)
  })

  test('is named by the doctor, who looks at the others as well', async () => {
    const { become, choice } = await twoClusters()
    await become('closed')
    const reports = await examineClusters(choice)
    expect(reports).toMatchObject([
      { context: 'east', fault: null, agonesVersions: ['v1'], missing: [], dryRunFault: null },
      { context: 'europe', fault: expect.stringMatching(/^127\.0\.0\.1:\d+ does not answer: /) },
    ])
  })

  test('leaves the service on both of them to the other: what is launched there runs, what plays here is not ended', async () => {
    const { become, start, far } = await twoClusters()
    const clock = new FakeClock()
    const platform = fakePlatform({ clock })
    const orchestrator = await start()
    const matchyard = createMatchyard({ ...platform, storage: memoryStorage(), orchestrator, launchTimeoutMs: 20_000 })
    await matchyard.open()
    const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
    const imageUrl = `docker.io/library/arena@sha256:${'0'.repeat(64)}`
    await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl })
    const tick = async () => {
      await matchyard.worker.runDueJobs()
      await matchyard.worker.reconcileServers()
      clock.advance(1_000)
      await sleep(20)
    }
    const launched = async (region: 'iad' | 'fra') =>
      (await matchyard.servers.create({ projectId, versionTag: 'arena', region })).id
    const status = async (instanceId: string) => (await matchyard.servers.get({ projectId, instanceId })).status
    const becomes = (instanceId: string, wanted: string) =>
      expect
        .poll(
          async () => {
            await tick()
            return status(instanceId)
          },
          { timeout: 20_000 },
        )
        .toBe(wanted)
    await tick()
    const plays = await launched('fra')
    await becomes(plays, 'running')
    await become('closed')
    const fresh = await launched('iad')
    await becomes(fresh, 'running')
    const lost = await launched('fra')
    await becomes(lost, 'failed')
    expect(await matchyard.servers.get({ projectId, instanceId: lost })).toMatchObject({
      stopReason: expect.stringMatching(/^was not running within 20 s: the cluster europe cannot be used now: /),
    })
    await matchyard.servers.stop({ projectId, instanceId: fresh })
    await becomes(fresh, 'stopped')
    expect(await status(plays)).toBe('running')
    await become('open')
    await matchyard.servers.stop({ projectId, instanceId: plays })
    await becomes(plays, 'stopped')
    await expect
      .poll(
        async () => {
          await tick()
          return instancesIn(far)
        },
        { timeout: 20_000 },
      )
      .toEqual([])
  }, 90_000)
})

describe('a cluster that is silent', () => {
  test('is waited for once, by who asks it, and keeps nobody from what is in another one', async () => {
    const { become, orchestrator } = await bothRunning()
    await become('silent')
    const waiting = asksThere(orchestrator).map((ask) =>
      ask().then(
        () => 'answered',
        (error: { code?: string }) => error.code,
      ),
    )
    await wholeLifeHere(orchestrator, 'srv_life')
    expect(await observed(orchestrator)).toEqual(['srv_here ready', 'srv_there ready'])
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['UNAVAILABLE']))
    const begun = performance.now()
    for (let round = 0; round < 20; round++)
      for (const ask of asksThere(orchestrator)) await expect(ask()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(performance.now() - begun).toBeLessThan(2_000)
    await wholeLifeHere(orchestrator, 'srv_next')
    await become('open')
    await expect
      .poll(async () => (await orchestrator.observe('srv_there', THERE).catch(() => []))[0]?.state, { timeout: 30_000 })
      .toBe('ready')
  }, 90_000)
})
