import { AsyncLocalStorage } from 'node:async_hooks'
import type { ErrorKind, Lobby, Matchyard } from '@matchyard/core'
import { ServiceError } from '@matchyard/core'
import type { NodeLimits, Storage, StreamEvent } from '@matchyard/core/ports'
import { FakeClock } from '../fakes/clock'
import { FakeRandom } from '../fakes/random'
import { CommitAuditor } from './commit-auditor'
import { Faults } from './faults'
import { FeedReader } from './feed-reader'
import { Follower } from './follower'
import { Guests } from './guests'
import type { Place, Snapshot } from './invariants/snapshot'
import { Machine } from './machine'
import { SimulatedNode, type SimulatedPorts } from './node'
import type { Past } from './past'
import { furnish } from './place'
import { Proof } from './proof'
import { Receiver } from './receiver'
import { Scheduler, stillness } from './scheduler'
import { awaken } from './stand-still'
import { forgetLost, readOn, type StoreSnapshot, takeMachines, takeSnapshot } from './take-snapshot'
import type { Watcher } from './watcher'

export interface WorldOptions {
  readonly seed: number
  readonly nodes: number
  /** Whether nodes run their own loops; otherwise commands are their ticks. */
  readonly loop: boolean
  /** A handle on the store under test, as a node or the observer opens it. */
  readonly openStore: () => Storage
  /** What the store was; undefined where it never goes back. */
  readonly past: Past | undefined
  /** Makes a node's ports worse than they are. */
  readonly spoil: (ports: SimulatedPorts) => Partial<SimulatedPorts>
}

/** What a look shows. */
export interface Look extends Snapshot {
  /** Whether what was seen before may never have been. */
  readonly wentBack: boolean
  /** Whether nothing that an invariant looks at has changed since the last look, answers apart. */
  readonly isAsBefore: boolean
}

/** In every other run machines are small, so that they are full at times; of those some have room for one alone. */
const limitsOf = (draw: number): NodeLimits => (draw % 2 === 0 ? {} : { maxServers: 1 + (Math.floor(draw / 2) % 3) })

/** A round of settling, and what a claim of a node that died may take. */
const DUE_MS = 50_000

/** Turns after which a call that is waited for alone counts as hanging. */
const MAX_TURNS = 20_000

/** Kinds of error that say that the service failed, not that it refused. */
const FAILURES: ReadonlySet<ErrorKind> = new Set(['bug', 'failed', 'unavailable'])

/** Errors that a call may end with: refusals, and ports that fail. */
const EXPECTED_ERRORS = /^(ServiceError|StorageUnavailable|OutcomeUnknown|PortFailure)\b/

/**
 * What became of the call from outside that is being carried out, and in which history it began. One for all worlds: each such
 * storage that was ever used makes every promise of the process a little slower (Node 20).
 */
const underWay = new AsyncLocalStorage<{ applied: boolean; readonly history: number }>()

/** Everything that one run consists of: time, nodes, machines, the store, and what was seen of them. */
export class World {
  readonly clock = new FakeClock()
  readonly faults = new Faults()
  readonly auditor = new CommitAuditor()
  /** What webhooks are sent to. */
  readonly receiver = new Receiver()
  readonly scheduler: Scheduler
  readonly machines = new Map<string, Machine>()
  readonly nodes: SimulatedNode[] = []
  readonly history = new Map<string, StreamEvent[]>()
  readonly watchers: Watcher[] = []
  readonly guests = new Guests()
  readonly proof = new Proof()
  /** Nodes that never come back. */
  readonly gone = new Set<string>()
  /** Lobbies as calls answered them, since the last look. */
  answers: Lobby[] = []
  /** Errors that only a bug can make. */
  readonly astonishing: string[] = []
  /** What calls came to: `enqueue ok`, `enqueue NOT_HOST`. */
  readonly outcomes = new Map<string, number>()
  readonly trace: string[] = []
  /** Who follows the project's feed over any nodes. */
  follower = new Follower('')
  place: Place = { projectId: '', accountId: '', queueKeys: [], buildIds: [] }
  readonly loop: boolean
  private readonly observer: Storage
  private readonly past: Past | undefined
  /** How often the storage has gone back. */
  private histories = 0
  /** Whether what was told before may never have been: the storage has gone back since the last look. */
  private wentBack = false
  /** Grows with every write. */
  private writes = 0
  private seen: { readonly writes: number; readonly snapshot: StoreSnapshot } | undefined
  private lastLook = ''
  private feed: FeedReader | undefined
  private readonly loggedUpTo = new Map<SimulatedNode, number>()

  constructor(options: WorldOptions) {
    const { seed, openStore, loop, spoil, past } = options
    this.past = past
    this.scheduler = new Scheduler(new FakeRandom(seed))
    this.observer = openStore()
    this.loop = loop
    const { scheduler, faults, clock, auditor, receiver } = this
    const crash = (nodeId: string) => this.crash(nodeId)
    for (let i = 1; i <= options.nodes; i++) {
      const id = `node_${i}`
      const machine = new Machine(`host-${i}`, limitsOf(options.seed + i))
      this.machines.set(id, machine)
      const told = (type: string) => this.count(`event ${type}`)
      const applied = () => this.noteApplied()
      const wrote = () => void this.writes++
      const around = {
        scheduler,
        faults,
        clock,
        crash,
        applied,
        wrote,
        told,
        openStore,
        spoil,
        seed,
        loop,
        auditor,
        receiver,
      }
      this.nodes.push(new SimulatedNode(id, machine, around))
    }
  }

  /** Opens the nodes one after the other and furnishes the project. */
  async begin(): Promise<void> {
    for (const node of this.nodes) await this.finish(node.open())
    const [first] = this.nodes
    const finish = <T>(work: Promise<T>) => this.finish(work)
    if (first !== undefined) {
      this.place = await furnish(first.matchyard, finish)
      await this.proof.furnish(first.matchyard, this.place, finish)
    }
    this.follower = new Follower(this.place.projectId)
  }

  /** Lets things go on until this one has come to its end. */
  async finish<T>(work: Promise<T>): Promise<T> {
    let settled = false
    work.then(
      () => {
        settled = true
      },
      () => {
        settled = true
      },
    )
    for (let turns = 0; turns < MAX_TURNS; turns++) {
      await stillness()
      if (settled) return work
      await this.scheduler.step()
    }
    throw new Error('a call hangs')
  }

  /** A call on a node by somebody outside, not waited for; nobody hears of it where the node is down. */
  call(node: SimulatedNode, name: string, run: (matchyard: Matchyard) => Promise<unknown>): void {
    if (!node.serving) return
    const outcome = { applied: false, history: this.histories }
    const running = underWay.run(outcome, () => run(node.matchyard))
    running.then(
      () => this.count(`${name} ok`),
      (error: unknown) => this.failed(name, error, outcome),
    )
  }

  /** A lobby that a call answered; an answer of the past is compared like one of now. */
  answered(lobby: Lobby): void {
    // What was committed before the storage went back may be lost.
    if (underWay.getStore()?.history === this.histories) this.answers.push(lobby)
  }

  /** A player whose erasure was acknowledged. */
  erased(playerId: string): void {
    if (underWay.getStore()?.history === this.histories) this.guests.erased.add(playerId)
  }

  /** Keeps the store as it is now, to go back to. */
  remember(): void {
    this.past?.remember()
  }

  /** A failover to a copy that had not got everything: what was acknowledged since then is lost, and nodes and processes go on. */
  goBack(steps: number): void {
    if (this.past?.goBack(steps) !== true) return
    this.trace.push('the storage goes back')
    this.count('storage went back')
    this.histories++
    this.writes++
    this.wentBack = true
    this.answers = []
    this.guests.startOver()
    for (const watcher of this.watchers) watcher.mayStartOver = true
    for (const machine of this.machines.values()) machine.outlivesHistory(this.clock.now())
  }

  crash(nodeId: string): void {
    const node = this.nodes.find((one) => one.id === nodeId)
    if (node?.life.alive !== true) return
    this.trace.push(`${nodeId} dies`)
    node.crash()
    for (const reader of [...this.watchers, this.follower]) if (reader.nodeId === nodeId) reader.nodeId = undefined
  }

  /** A node that never comes back, nor anybody to its machine; the last one stays. */
  lose(nodeId: string): void {
    if (this.nodes.filter(({ id }) => !this.gone.has(id)).length < 2) return
    this.crash(nodeId)
    this.gone.add(nodeId)
  }

  /** Starts what is down and not gone for good. */
  revive(node: SimulatedNode): void {
    if (node.life.alive || this.gone.has(node.id)) return
    node.start()
    this.trace.push(`${node.id} starts again`)
    node.open().catch((error: unknown) => {
      // A node that cannot open is started again by whoever watches over it.
      if (!EXPECTED_ERRORS.test(String(error))) this.astonishing.push(`open: ${String(error)}`)
      this.crash(node.id)
    })
  }

  /** Nothing goes wrong from here on. */
  calmDown(): void {
    this.faults.clear()
    this.receiver.calmDown()
    for (const machine of this.machines.values()) machine.fill(this.clock.now())
    for (const { life } of this.nodes) awaken(life)
    this.trace.push('— faults are over')
  }

  passTime(ms: number): void {
    this.clock.advance(ms)
    for (const machine of this.machines.values()) machine.passTime(this.clock.now())
  }

  /** Everything as it is. */
  async look(): Promise<Look> {
    const { wentBack, clock, place, gone, guests, machines, proof } = this
    this.wentBack = false
    const store = await this.lookAtStore(wentBack)
    this.readLogs()
    const rest = { at: clock.now(), ...takeMachines(machines), gone: new Set(gone), erased: new Set(guests.erased) }
    const feed = await this.readFeed()
    const all = JSON.stringify([
      this.writes,
      feed !== undefined,
      { ...rest, gone: [...gone], erased: guests.erased.size },
    ])
    const isAsBefore = all === this.lastLook
    this.lastLook = all
    return { ...rest, ...store, place, feed, vouched: proof.vouched, wentBack, isAsBefore }
  }

  /** Most turns write nothing: what was read is then as it was. */
  private async lookAtStore(wentBack: boolean): Promise<StoreSnapshot> {
    const { seen, writes, observer, history } = this
    if (seen?.writes === writes) return seen.snapshot
    const snapshot = await takeSnapshot(observer, this.place)
    if (wentBack) await forgetLost(observer, history)
    await readOn(observer, history, snapshot.lobbies.keys())
    this.seen = { writes, snapshot }
    return snapshot
  }

  /** One page at each look. */
  private async readFeed(): Promise<Snapshot['feed']> {
    if (this.place.projectId === '') return undefined
    this.feed ??= new FeedReader(this.place.projectId)
    return (await this.feed.readPage(this.observer)) ? this.feed.known : undefined
  }

  /** What is wrong with what was to be sent: what is due has been sent, and what counts as delivered was taken. */
  async undelivered(): Promise<string[]> {
    const { observer, clock, place, receiver } = this
    const { listeners = [] } = (await observer.get('project', place.projectId)) ?? {}
    const pages = listeners.map(({ webhookId }) => observer.deliveries.list({ webhookId, limit: 1_000, offset: 0 }))
    return (await Promise.all(pages)).flatMap(({ data }) =>
      data.flatMap(({ id, status, messageId, nextAttemptAt }) => {
        if (status === 'delivered' && !receiver.taken.has(messageId)) return [`${id} was delivered, and nobody took it`]
        return nextAttemptAt !== null && nextAttemptAt < clock.now() - DUE_MS ? [`${id} is due and was not sent`] : []
      }),
    )
  }

  private noteApplied(): void {
    const outcome = underWay.getStore()
    if (outcome !== undefined) outcome.applied = true
  }

  private failed(name: string, error: unknown, outcome: { applied: boolean; history: number }): void {
    this.count(`${name} ${error instanceof ServiceError ? error.code : String(error)}`)
    const { applied, history } = outcome
    // What it read before the storage went back and what it read after it need not fit together.
    if (history !== this.histories) return
    const fails = error instanceof ServiceError && FAILURES.has(error.kind)
    if (applied && fails && !isTick(name)) this.astonishing.push(`${name} was done and answered as ${error.code}`)
    const unforeseen = !(error instanceof ServiceError) && !(isTick(name) && EXPECTED_ERRORS.test(String(error)))
    if (unforeseen) this.astonishing.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`)
  }

  count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
  }

  /** What core swallows and logs must be what ports may do, and nothing else. */
  private readLogs(): void {
    for (const node of this.nodes) {
      const { lines } = node.logger
      for (const { level, message, fields } of lines.slice(this.loggedUpTo.get(node) ?? 0)) {
        const { error } = fields
        const expected =
          typeof error === 'string' && (EXPECTED_ERRORS.test(error) || error.startsWith('EmbedderFailure'))
        if (!expected && (level === 'error' || error !== undefined)) {
          this.astonishing.push(`${node.id} logged: ${message} ${String(error ?? '')}`)
        }
      }
      this.loggedUpTo.set(node, lines.length)
    }
  }
}

const isTick = (name: string) => name.startsWith('tick ')
