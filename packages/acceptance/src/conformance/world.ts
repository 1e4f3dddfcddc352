import { createMatchyard, type Matchyard, type MatchyardOptions } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { type AppOptions, createApp, type MatchyardApp } from '@matchyard/http'
import { tokens } from '@matchyard/node'
import { manualPayments } from '@matchyard/payments-manual'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeBuildStore, type FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { type Answer, type Body, type Caller, send } from './client'
import { Studio } from './studio'

const ENDLESS = 200

export interface WorldOptions {
  /** Epoch milliseconds at which the clock begins; default: the first instant of a month. */
  readonly startAt?: number
  /** Keeps the ids of worlds apart that share a storage. */
  readonly seed?: number
  readonly app?: AppOptions
  readonly core?: Partial<MatchyardOptions>
}

/** The whole service in this process: time and work move on only when a test says so. */
export class World {
  private studios = 0

  private constructor(
    readonly matchyard: Matchyard,
    readonly app: MatchyardApp,
    readonly clock: FakeClock,
    readonly orchestrator: FakeOrchestrator,
    readonly buildStore: FakeBuildStore,
    readonly storage: Storage,
  ) {}

  static async open(options: WorldOptions = {}): Promise<World> {
    const { startAt, seed } = options
    const platform = fakePlatform({
      ...(startAt === undefined ? {} : { startAt }),
      ...(seed === undefined ? {} : { seed }),
    })
    const { clock } = platform
    const orchestrator = new FakeOrchestrator(clock)
    const buildStore = new FakeBuildStore()
    const storage = options.core?.storage ?? memoryStorage()
    const matchyard = createMatchyard({
      ...platform,
      tokens: tokens('a secret that is long enough for a test'),
      // A start does not move a test's time.
      clock: { now: () => clock.now() },
      storage,
      orchestrator,
      buildStore,
      payments: manualPayments(),
      apiUrl: 'http://localhost',
      ...options.core,
    })
    await matchyard.open()
    const app = createApp(matchyard, { clock, timers: clock, ...options.app })
    return new World(matchyard, app, clock, orchestrator, buildStore, storage)
  }

  /** A call without any credential. */
  readonly nobody: Caller = (what, body, headers = {}) => this.send(what, { body, headers })

  send(what: string, options: Parameters<typeof send>[2] = {}): Promise<Answer> {
    return send(this.app, what, options)
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
    for (let rounds = 0; rounds < ENDLESS; rounds++) {
      await this.matchyard.worker.reconcileServers()
      if ((await this.matchyard.worker.runDueJobs()) === 0) return
    }
    throw new Error('work never ends')
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
