import { createMatchyard } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { createApp } from '@matchyard/http'
import { tokens } from '@matchyard/node'
import { manualPayments } from '@matchyard/payments/manual'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeBuildStore, FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import type { Answer, Body, Caller, CallOptions } from './client'
import type { Ground, WorldOptions } from './ground'
import { type Service, serviceOf } from './service'
import type { Stream } from './stream'
import { Studio } from './studio'

const ENDLESS = 200
const SECRET = 'a secret that is long enough for a test'

/**
 * The whole service in this process, as one node on memory storage. The clock advances and jobs run only when a test
 * calls for it.
 */
export class World {
  readonly clock: FakeClock
  readonly orchestrator: FakeOrchestrator
  readonly buildStore: FakeBuildStore
  private studios = 0

  private constructor(
    ground: Ground,
    private readonly service: Service,
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
    const { service, storage } = await openService(ground, options)
    return new World(ground, service, storage)
  }

  /** Sends a call without credentials. */
  readonly nobody: Caller = (what, body, headers = {}) => this.send(what, { body, headers })

  send(what: string, options: CallOptions = {}): Promise<Answer> {
    return this.service.send(what, options)
  }

  stream(path: string, headers: Readonly<Record<string, string>>): Promise<Stream> {
    return this.service.stream(path, headers)
  }

  /** Sends a call and returns the raw response. The body is not read, and the answer is not checked. */
  async request(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    return this.service.app.request(path, { headers: { ...headers } })
  }

  /** Returns a caller that sends these headers with each call. */
  as(headers: Readonly<Record<string, string>>): Caller {
    return (what, body, more = {}) => this.send(what, { body, headers: { ...headers, ...more } })
  }

  /** Registers a new account, and returns the answer and the password. */
  async register(fields: Record<string, unknown> = {}): Promise<{ answer: Answer; email: string; password: string }> {
    const account = { email: `dev${++this.studios}@example.com`, password: 'correct horse', name: 'Dev', ...fields }
    return { answer: await this.nobody('POST /v1/auth/register', account), ...account }
  }

  /** Creates an account of an operator, lets this node report its machine, and returns a caller with the operator's session. */
  async operator(): Promise<Caller> {
    const { accounts, worker } = this.service.matchyard
    await worker.watchNodes()
    const fields = { email: 'operator@example.com', password: 'correct horse', name: 'Operator', operator: true }
    const { id: accountId } = await accounts.create(fields)
    const { token } = await accounts.signIn({ accountId })
    return this.as({ authorization: `Bearer ${token}` })
  }

  /** Registers a developer with a project, its server key and its client key. */
  async studio(plan: 'free' | 'payg' | 'pro' = 'pro'): Promise<Studio> {
    const { answer, email, password } = await this.register()
    const developer = this.as({ authorization: `Bearer ${answer.body.token}` })
    if (plan !== 'free') await developer('POST /v1/billing/upgrade', { plan, payment_method_token: 'pm_test_visa' })
    const project: Body = (await developer('POST /v1/projects', { name: 'Arena' })).body
    return new Studio(this, answer.body.token, { id: answer.body.account.id, email, password }, project)
  }

  /** Reconciles game servers and runs due jobs until no job is due, including jobs that these jobs add. */
  async settle(): Promise<void> {
    for (let rounds = 0; rounds < ENDLESS; rounds++) {
      await this.service.matchyard.worker.reconcileServers()
      if ((await this.service.matchyard.worker.runDueJobs()) === 0) return
    }
    throw new Error('work never ends')
  }

  /** Runs one tick of a queue's director. */
  async tick(queueKey: string): Promise<void> {
    await this.service.matchyard.matchmaking.runQueue(queueKey)
  }

  /** Records the presence of all players who have an open stream. */
  async notePresence(): Promise<void> {
    await this.service.matchyard.worker.notePresence()
  }

  /** Advances the clock by a number of seconds, then runs the due jobs. */
  async wait(seconds: number): Promise<void> {
    this.clock.advance(seconds * 1_000)
    await this.settle()
  }

  /** Returns the time that is `inSeconds` seconds from now, in the format of the API. */
  instant(inSeconds = 0): string {
    return new Date(this.clock.now() + inSeconds * 1_000).toISOString()
  }
}

async function openService(ground: Ground, options: WorldOptions) {
  const { clock, orchestrator, buildStore, secret } = ground
  const { seed, through = (storage) => storage } = options
  const storage = options.core?.storage ?? memoryStorage()
  const matchyard = createMatchyard({
    ...fakePlatform({ ...(seed === undefined ? {} : { seed }), clock }),
    tokens: tokens(secret),
    // The service gets only the function `now`, so its start cannot change the test's clock.
    clock: { now: () => clock.now() },
    orchestrator,
    buildStore,
    payments: manualPayments(),
    apiUrl: 'http://localhost',
    ...options.core,
    storage: through(storage),
  })
  await matchyard.open()
  const app = createApp(matchyard, { clock, timers: clock, ...options.app })
  return { service: serviceOf(matchyard, app), storage }
}
