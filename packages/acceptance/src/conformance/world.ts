import { createMatchyard } from '@matchyard/core'
import { type Storage, StorageUnavailable } from '@matchyard/core/ports'
import { createApp } from '@matchyard/http'
import { tokens } from '@matchyard/node'
import { manualPayments } from '@matchyard/payments-manual'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeBuildStore, FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { isBeside } from './beside/variables'
import type { Answer, Body, Caller, CallOptions } from './client'
import type { Ground, WorldOptions } from './ground'
import { type Service, serviceOf } from './service'
import type { Stream } from './stream'
import { Studio } from './studio'

const ENDLESS = 200
const SECRET = 'a secret that is long enough for a test'

/**
 * The whole service in this process: time and work move on only when a test says so. One node on a storage in memory; with MATCHYARD_BESIDE
 * two on one database, of this release and the one before, which take calls and work in turn.
 */
export class World {
  readonly clock: FakeClock
  readonly orchestrator: FakeOrchestrator
  readonly buildStore: FakeBuildStore
  private studios = 0
  private turn = 0

  private constructor(
    ground: Ground,
    private readonly services: readonly Service[],
    readonly storage: Storage,
  ) {
    this.clock = ground.clock
    this.orchestrator = ground.orchestrator
    this.buildStore = ground.buildStore
  }

  static async open(options: WorldOptions = {}): Promise<World> {
    const clock = new FakeClock(options.startAt)
    const orchestrator = new FakeOrchestrator(clock)
    const ground = { clock, orchestrator, buildStore: new FakeBuildStore(), secret: SECRET }
    const { services, storage } = await (isBeside() ? openBeside(ground, options) : openAlone(ground, options))
    return new World(ground, services, storage)
  }

  /** The node whose turn it is. */
  private next(): Service {
    const service = this.services[this.turn++ % this.services.length]
    if (service === undefined) throw new Error('there are no nodes')
    return service
  }

  /** A call without any credential. */
  readonly nobody: Caller = (what, body, headers = {}) => this.send(what, { body, headers })

  send(what: string, options: CallOptions = {}): Promise<Answer> {
    return this.next().send(what, options)
  }

  stream(path: string, headers: Readonly<Record<string, string>>): Promise<Stream> {
    return this.next().stream(path, headers)
  }

  /** A call whose answer is neither read nor judged. */
  async request(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    return this.next().app.request(path, { headers: { ...headers } })
  }

  /** A call with these headers on every time. */
  as(headers: Readonly<Record<string, string>>): Caller {
    return (what, body, more = {}) => this.send(what, { body, headers: { ...headers, ...more } })
  }

  /** An account that has just registered, and its password. */
  async register(fields: Record<string, unknown> = {}): Promise<{ answer: Answer; email: string; password: string }> {
    const account = { email: `dev${++this.studios}@example.com`, password: 'correct horse', name: 'Dev', ...fields }
    return { answer: await this.nobody('POST /v1/auth/register', account), ...account }
  }

  /** A developer with a project and both its keys. */
  async studio(plan: 'free' | 'payg' | 'pro' = 'pro'): Promise<Studio> {
    const { answer, email, password } = await this.register()
    const developer = this.as({ authorization: `Bearer ${answer.body.token}` })
    if (plan !== 'free') await developer('POST /v1/billing/upgrade', { plan, payment_method_token: 'pm_test_visa' })
    const project: Body = (await developer('POST /v1/projects', { name: 'Arena' })).body
    return new Studio(this, answer.body.token, { id: answer.body.account.id, email, password }, project)
  }

  /** Does what is due, and what follows from it, until nothing is. */
  async settle(): Promise<void> {
    // What one node decides another may have to carry out, and the first to see: it is over when each has found nothing to do after the others.
    let quiet = 0
    for (let rounds = 0; rounds < ENDLESS; rounds++) {
      let jobs = 0
      for (const { matchyard } of this.services) {
        await matchyard.worker.reconcileServers()
        jobs += await matchyard.worker.runDueJobs()
      }
      quiet = jobs === 0 ? quiet + 1 : 0
      if (quiet >= this.services.length) return
    }
    throw new Error('work never ends')
  }

  /** One tick of a queue's director. With several nodes it is that of the one which holds the queue, or comes first to it. */
  async tick(queueKey: string): Promise<void> {
    const first = this.next()
    await first.matchyard.matchmaking.runQueue(queueKey)
    for (const { matchyard } of this.services.filter((service) => service !== first))
      await matchyard.matchmaking.runQueue(queueKey)
  }

  /** Every node says whose streams are open with it. */
  async notePresence(): Promise<void> {
    for (const { matchyard } of this.services) await matchyard.worker.notePresence()
  }

  /** Lets so many seconds pass, then does what came due. */
  async wait(seconds: number): Promise<void> {
    this.clock.advance(seconds * 1_000)
    await this.settle()
  }

  /** The present instant as the wire spells it, so many seconds from now. */
  instant(inSeconds = 0): string {
    return new Date(this.clock.now() + inSeconds * 1_000).toISOString()
  }
}

async function openAlone(ground: Ground, options: WorldOptions) {
  const { clock, orchestrator, buildStore, secret } = ground
  const { seed, through = (storage) => storage } = options
  const storage = options.core?.storage ?? memoryStorage()
  const matchyard = createMatchyard({
    ...fakePlatform({ ...(seed === undefined ? {} : { seed }), clock }),
    tokens: tokens(secret),
    // A start does not move a test's time.
    clock: { now: () => clock.now() },
    orchestrator,
    buildStore,
    payments: manualPayments(),
    apiUrl: 'http://localhost',
    ...options.core,
    storage: through(storage, { StorageUnavailable }),
  })
  await matchyard.open()
  const app = createApp(matchyard, { clock, timers: clock, ...options.app })
  return { services: [serviceOf(matchyard, app)], storage }
}

async function openBeside(ground: Ground, options: WorldOptions) {
  const beside = await import('./beside/open')
  return beside.openBeside(ground, options)
}
