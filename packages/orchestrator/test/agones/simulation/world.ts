import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeRandom } from '@matchyard/testkit'
import { packed } from '../../../src/agones/farewell/ended-note'
import type { KubeCall } from '../../../src/agones/kube/connection'
import { ROLE_RULES } from '../../../src/agones/rights'
import { clusterWithoutSocket, kubeconfigOf } from '../../../src/agones/testing/cluster'
import { Audit, type Violation } from './audit'
import { Carriers } from './carriers'
import type { Command, TroubleKind } from './commands'
import { Containers } from './containers'
import { Deaths, type OnPoint } from './deaths'
import { GRAIN_MS, type Life } from './life'
import { Matches } from './matches'
import { Network } from './network'
import { People } from './people'
import { IMAGE, QUEUES } from './queues'
import { Service } from './service'
import { Troubles } from './troubles'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** Numbers of objects in one page of a list; the seed selects one. */
const PAGES = [1, 2, 3, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
/** Events that must occur in some runs, beside troubles. */
export const SEEN = {
  wholeMinute: 'nobody got through for a whole minute',
  secondPage: 'a list was gone on with',
  forgottenList: 'a list was forgotten in its middle',
}
/** Number of looks without passing time after which the run counts as an endless loop. */
const MOST_AT_ONE_INSTANT = 2_000

export interface WorldOptions {
  readonly seed: number
  /** Number of nodes of the service. */
  readonly nodes: number
  readonly launchTimeoutMs: number
  /** Whether queues want game servers that wait for matches. */
  readonly warm?: boolean
  readonly onPoint?: OnPoint | undefined
}

/** Resolves when all promises that can settle have settled. The others wait for simulated time. */
const stillness = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Throws when notes are packed in real time. */
async function nothingIsBeside(): Promise<void> {
  let isPacked = false
  void packed({ attempts: [], lines: [] }, 1_000).then(() => {
    isPacked = true
  })
  await stillness()
  if (!isPacked) throw new Error('a run would be another one each time: import ./packing before all else')
}

/**
 * One run: a cluster with Agones, the network to it, nodes of the service on one storage, and the running containers.
 */
export class World {
  readonly clock = new FakeClock()
  readonly random: FakeRandom
  readonly containers: Containers
  readonly cluster
  readonly network: Network
  readonly troubles: Troubles
  readonly audit: Audit
  readonly matches: Matches
  readonly carriers: Carriers
  /** Whether queues want waiting game servers at present. */
  isWarmWanted: boolean
  readonly services: readonly Service[]
  projectId = ''
  /** Data of the storage that all nodes share. */
  readonly data = emptyMemoryData()
  private readonly people = new People(this)
  private readonly deaths: Deaths
  private accountId = ''
  private readonly folder = mkdtempSync(join(tmpdir(), 'agones-simulation-'))
  private lastAlive = ''

  constructor(private readonly options: WorldOptions) {
    const { seed, nodes, launchTimeoutMs } = options
    const { clock } = this
    this.random = new FakeRandom(seed)
    this.isWarmWanted = options.warm === true
    this.containers = new Containers(clock, this.random)
    let ids = 0
    this.cluster = clusterWithoutSocket({
      time: clock,
      runtime: this.containers,
      nodes: ['one', 'two'].map((name) => ({ name, address: `${name}.simulated` })),
      stepMs: () => GRAIN_MS * (1 + this.random.int(4)),
      newId: () => `uid-${String(++ids).padStart(6, '0')}`,
    })
    this.cluster.api.rules = ROLE_RULES
    this.cluster.api.mostInAPage = PAGES[seed % PAGES.length] ?? Number.POSITIVE_INFINITY
    this.carriers = new Carriers(this.cluster.api.store, (name) => this.troubles.touched.has(name))
    const count = (outcome: string) => this.audit.count(outcome)
    this.deaths = new Deaths(() => this.services, clock, count, options.onPoint)
    const point = (life: Life, where: string) => this.deaths.point(life, where)
    const happened = (kind: TroubleKind) => count(`trouble: ${kind}`)
    this.network = new Network(clock, this.random, this.cluster.requests, {
      point,
      met: happened,
      over: (ms) => ms >= MINUTE_MS && count(SEEN.wholeMinute),
      answered: (call, code) => this.answered(call, code),
    })
    this.troubles = new Troubles(clock, this.random, this.cluster, this.network, happened)
    this.audit = new Audit(clock, this.containers, this.carriers, this.troubles.touched, launchTimeoutMs)
    this.matches = new Matches(clock, (invariant, message) => this.audit.broke(invariant, message), count)
    const kubeconfig = join(this.folder, 'kubeconfig')
    writeFileSync(kubeconfig, kubeconfigOf('http://simulated', ['simulated']))
    this.services = Array.from(
      { length: nodes },
      (_, index) =>
        new Service(`node_${index + 1}`, {
          clock,
          seed,
          launchTimeoutMs,
          network: this.network,
          containers: this.containers,
          openStore: () => memoryStorage({ data: this.data }),
          kubeconfig,
          point,
          committed: (commit) => {
            this.audit.committed(commit)
            this.matches.committed(commit)
          },
        }),
    )
  }

  /** Starts the nodes, and makes a project with a build and queues. */
  async begin(): Promise<void> {
    await nothingIsBeside()
    for (const service of this.services) await service.start()
    await this.pass(SECOND_MS)
    const matchyard = this.services[0]?.matchyard
    if (matchyard === undefined) throw new Error('it does not start')
    const project = await this.done(matchyard.projects.ensure({ name: 'simulation' }))
    const projectId = project.id
    this.projectId = projectId
    this.accountId = project.accountId
    await this.done(matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: IMAGE }))
    await this.pass(2 * SECOND_MS)
    for (const { warm, serverSettings, ...queue } of QUEUES) {
      const settings = this.isWarmWanted ? { ...serverSettings, warm } : serverSettings
      await this.done(matchyard.queues.create({ projectId, ...queue, serverSettings: settings }))
    }
    this.containers.hasWill = this.options.onPoint === undefined
  }

  /** Carries out a command: a trouble, a death, or a call of a player or studio. */
  perform(command: Command): void {
    if (!this.troubles.begin(command) && !this.deaths.begin(command)) this.people.perform(command)
  }

  /** Lets time pass, from one due timer to the next. Returns false once an invariant is broken. */
  async pass(ms: number): Promise<boolean> {
    const until = this.clock.now() + ms
    let idle = 0
    for (;;) {
      await stillness()
      for (const service of this.deaths.takeReturning()) {
        await service.start()
        await stillness()
      }
      this.look()
      if (this.audit.violations.length > 0) return false
      const at = this.clock.nextTimerAt()
      if (at === undefined || at > until) break
      idle = at > this.clock.now() ? 0 : idle + 1
      if (idle > MOST_AT_ONE_INSTANT) {
        this.audit.broke('nobodySpins', 'things go on and on without any time passing')
        return false
      }
      this.clock.advanceTo(at)
    }
    this.clock.advanceTo(until)
    return true
  }

  /** Ends the run and removes its files. */
  async end(): Promise<void> {
    this.cluster.stop()
    for (const service of this.services) await service.forget()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Ends all troubles, and brings all nodes back. */
  calmDown(): void {
    this.troubles.end()
    this.containers.hasWill = false
    this.deaths.end()
  }

  /** Stops all live servers. */
  stopAll(): void {
    this.people.stopAll()
  }

  get violation(): Violation | undefined {
    return this.audit.violations[0]
  }

  async usage(): Promise<number> {
    const matchyard = this.services[0]?.matchyard
    if (matchyard === undefined) throw new Error('nobody is there')
    return (await this.done(matchyard.billing.usage({ accountId: this.accountId }))).totalMicroUsd
  }

  /** Returns the result of a call, while time passes. */
  async done<T>(work: Promise<T>): Promise<T> {
    let isSettled = false
    const settled = () => {
      isSettled = true
    }
    work.then(settled, settled)
    for (let tries = 0; !isSettled && tries < 1_000; tries++) await this.pass(50)
    return work
  }

  private answered({ path }: KubeCall, code: number): void {
    if (!path.includes('continue=')) return
    if (code === 200) this.audit.count(SEEN.secondPage)
    if (code === 410) this.audit.count(SEEN.forgottenList)
  }

  /** Checks the invariants that hold at every instant. */
  private look(): void {
    const { containers, audit, services } = this
    const alive = containers.alive.map(({ instanceId, attempt }) => `${instanceId}#${attempt}`).join(' ')
    if (alive !== this.lastAlive) {
      this.lastAlive = alive
      const seen = new Map<string, number>()
      for (const { instanceId, attempt } of containers.alive) {
        const other = seen.get(instanceId)
        if (other !== undefined) audit.broke('anInstanceRunsOnce', `${instanceId} runs as #${other} and as #${attempt}`)
        seen.set(instanceId, attempt)
      }
    }
    for (const { verb, resource } of this.cluster.api.denied.splice(0))
      audit.broke('theRoleIsEnough', `nobody gave the right to ${verb} ${resource}`)
    for (const broken of [containers.misuse, this.carriers.violations])
      for (const { invariant, message } of broken.splice(0)) audit.broke(invariant, message)
    for (const { logger, name } of services) {
      for (const { level, message, fields } of logger.lines.splice(0)) {
        const error = String(fields.error ?? '')
        const isOurs =
          error !== '' &&
          !/^ServiceError\b|simulated|the versions? |etcdserver|too many requests|too old|not waited|a policy denies/.test(
            error,
          )
        if (isOurs || (level === 'error' && error === ''))
          audit.broke('callsFailByTheCatalogue', `${name}: ${message}: ${error}`)
      }
    }
  }
}
