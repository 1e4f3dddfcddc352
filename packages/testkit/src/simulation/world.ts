import { AsyncLocalStorage } from 'node:async_hooks'
import type { ErrorKind, Lobby, LobbyAnswer, Matchyard, Region } from '@matchyard/core'
import { ServiceError } from '@matchyard/core'
import type { NodeLimits, Storage, StreamEvent } from '@matchyard/core/ports'
import { FakeClock } from '../fakes/clock'
import { FakeRandom } from '../fakes/random'
import { Beginnings } from './beginnings'
import { CommitAuditor } from './commit-auditor'
import { Faults } from './faults'
import { FeedReader } from './feed-reader'
import { Follower } from './follower'
import { Guests } from './guests'
import type { Place, Snapshot } from './invariants/snapshot'
import { Machine } from './machine'
import { SimulatedNode, type Spoil } from './node'
import type { Past } from './past'
import { furnish } from './place'
import { Proof } from './proof'
import { furnishRating } from './rated-place'
import { Receiver } from './receiver'
import { Scheduler, stillness } from './scheduler'
import { Silences } from './silences'
import { awaken } from './stand-still'
import { StudioTable, TABLE_CONSUMER } from './studio-table'
import { forgetLost, readOn, type StoreSnapshot, takeMachines, takeSnapshot } from './take-snapshot'
import type { Watcher } from './watcher'

export interface WorldOptions {
  readonly seed: number
  readonly nodes: number
  /** Whether nodes run their own worker loops. Otherwise commands run their ticks. */
  readonly loop: boolean
  /** Opens a handle on the tested store, for a node or for the simulator itself. */
  readonly openStore: () => Storage
  /** Remembered earlier states of the store; undefined where the store never returns to them. */
  readonly past: Past | undefined
  /** Returns faulty replacements for some ports of a node. */
  readonly spoil: Spoil
  /** Whether each node has a handler of a consumer that keeps a table of matches. */
  readonly consumers: boolean
  /** Whether the machines serve different regions. */
  readonly regions: boolean
  /** Whether the project has a rating, which some queues name. */
  readonly rating: boolean
  /** Whether each node reaches its machine through an agent. */
  readonly agents: boolean
}

/** The state of the world at one time. */
export interface Look extends Snapshot {
  /** Whether earlier snapshots may be out of date, because the storage returned to an earlier state. */
  readonly wentBack: boolean
  /**
   * Whether no data that an invariant reads have changed since the last snapshot. Answers of calls are not considered.
   */
  readonly isAsBefore: boolean
}

/**
 * Returns the limits of machines. In every second run, each machine can run only one to three servers, so that machines
 * are sometimes full.
 */
const limitsOf = (draw: number): NodeLimits => (draw % 2 === 0 ? {} : { maxServers: 1 + (Math.floor(draw / 2) % 3) })

/** Returns the regions of a machine. Every machine serves the usual region, and a region that only some machines serve. */
const regionsOf = (index: number): readonly Region[] => (index % 2 === 0 ? ['iad', 'ams'] : ['iad', 'fra'])

/** Milliseconds of one round at the end of a run, plus the longest claim of a crashed node. */
const DUE_MS = 50_000

/** Most turns for a call that runs alone. With more turns, the simulator reports that the call never ends. */
const MAX_TURNS = 20_000

/** Kinds of errors that report a failure of the service, not a refusal of the call. */
const FAILURES: ReadonlySet<ErrorKind> = new Set(['bug', 'failed', 'unavailable'])

/** Errors with which a call may end: refusals of the call, and failures of ports. */
const EXPECTED_ERRORS = /^(ServiceError|StorageUnavailable|OutcomeUnknown|PortFailure)\b/

/**
 * The simulator's data about the current call: whether its commit was applied, and how often the storage had returned
 * to an earlier state when the call began. All worlds share one AsyncLocalStorage, because each additional
 * AsyncLocalStorage makes all promises of the process slower (Node 20).
 */
const underWay = new AsyncLocalStorage<{ applied: boolean; readonly history: number }>()

/** All objects of one run: the clock, the nodes, the machines, the store, and the recorded results. */
export class World {
  readonly clock = new FakeClock()
  readonly faults = new Faults()
  readonly auditor = new CommitAuditor()
  /** Receiver of the project's webhook messages. */
  readonly receiver = new Receiver()
  /** Table of matches that the consumer keeps; undefined without a consumer. */
  readonly table: StudioTable | undefined
  readonly scheduler: Scheduler
  readonly machines = new Map<string, Machine>()
  private readonly silences = new Silences()
  /** Regions of each machine; empty when every machine serves all. */
  readonly regions = new Map<string, readonly Region[]>()
  readonly nodes: SimulatedNode[] = []
  readonly history = new Map<string, StreamEvent[]>()
  readonly watchers: Watcher[] = []
  readonly guests = new Guests()
  readonly proof = new Proof()
  /** Lost nodes, which never start again. */
  readonly gone = new Set<string>()
  /** Lobbies that calls have returned since the last check. */
  answers: Lobby[] = []
  /** Texts of errors that only a bug can cause. */
  readonly astonishing: string[] = []
  /** Number of calls, by name and result: `enqueue ok`, `enqueue NOT_HOST`. */
  readonly outcomes = new Map<string, number>()
  readonly trace: string[] = []
  /** A dashboard that reads the project's feed, and moves from one node to another. */
  follower = new Follower('')
  place: Place = { projectId: '', accountId: '', queueKeys: [], buildIds: [] }
  readonly loop: boolean
  /** Seed that chooses the model of the rating; undefined in a world without a rating. */
  private readonly ratingSeed: number | undefined
  private readonly observer: Storage
  private readonly past: Past | undefined
  /** Number of times that the storage returned to an earlier state. */
  private histories = 0
  /**
   * Whether the storage has returned to an earlier state since the last snapshot, so that earlier snapshots may be out
   * of date.
   */
  private wentBack = false
  /** Number that grows with every write. */
  private writes = 0
  private seen: { readonly writes: number; readonly snapshot: StoreSnapshot & Pick<Snapshot, 'begun'> } | undefined
  private lastLook = ''
  private readonly beginnings = new Beginnings()
  private feed: FeedReader | undefined
  private readonly loggedUpTo = new Map<SimulatedNode, number>()

  constructor(options: WorldOptions) {
    const { seed, openStore, loop, spoil, past } = options
    this.past = past
    this.scheduler = new Scheduler(new FakeRandom(seed))
    this.observer = openStore()
    this.loop = loop
    this.table = options.consumers ? new StudioTable() : undefined
    this.ratingSeed = options.rating ? seed : undefined
    const { scheduler, faults, clock, auditor, receiver } = this
    const crash = (nodeId: string) => this.crash(nodeId)
    for (let i = 1; i <= options.nodes; i++) {
      const id = `node_${i}`
      const machine = new Machine(`host-${i}`, limitsOf(options.seed + i))
      this.machines.set(id, machine)
      const regions = options.regions ? regionsOf(i) : undefined
      if (regions !== undefined) this.regions.set(id, regions)
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
        opened: (matchyard: Matchyard) => this.consume(matchyard),
        openStore,
        spoil,
        seed,
        loop,
        auditor,
        receiver,
        regions,
        agents: options.agents,
      }
      this.nodes.push(new SimulatedNode(id, machine, around))
    }
  }

  /** Opens the nodes one after another and creates the project. */
  async begin(): Promise<void> {
    for (const node of this.nodes) await this.finish(node.open())
    const [first] = this.nodes
    const finish = <T>(work: Promise<T>) => this.finish(work)
    if (first !== undefined) {
      this.place = await furnish(first.matchyard, finish)
      await this.proof.furnish(first.matchyard, this.place, finish)
      const { place, ratingSeed: draw } = this
      if (draw !== undefined) await furnishRating(first.matchyard, { ...place, seed: draw }, finish)
    }
    this.follower = new Follower(this.place.projectId)
    for (const { matchyard } of this.nodes) await this.finish(this.consume(matchyard))
  }

  /** Adds the handler of the consumer to a node, once the project exists. */
  private async consume(matchyard: Matchyard): Promise<void> {
    const { table, place } = this
    if (table === undefined || place.projectId === '') return
    await matchyard.consume({ projectId: place.projectId, name: TABLE_CONSUMER }, table.handle)
  }

  /** Lets waiting port calls continue until a promise settles, and returns its result. */
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

  /** Starts a call from outside on a node without waiting for its end. Does nothing while the node accepts no calls. */
  call(node: SimulatedNode, name: string, run: (matchyard: Matchyard) => Promise<unknown>): void {
    if (!node.serving) return
    const outcome = { applied: false, history: this.histories }
    const running = underWay.run(outcome, () => run(node.matchyard))
    running.then(
      () => this.count(`${name} ok`),
      (error: unknown) => this.failed(name, error, outcome),
    )
  }

  /** Records a lobby that a call returned, without its warnings, which depend on machines and not on its commit. */
  answered({ warnings: _, ...lobby }: LobbyAnswer): void {
    // The storage may have returned to an earlier state since the call began. Then the lobby is ignored, because its
    // commit may be lost.
    if (underWay.getStore()?.history === this.histories) this.answers.push(lobby)
  }

  /** Records a player whose erasure was acknowledged. */
  erased(playerId: string): void {
    if (underWay.getStore()?.history === this.histories) this.guests.erased.add(playerId)
  }

  /** Remembers the current state of the store. */
  remember(): void {
    this.past?.remember()
  }

  /**
   * Returns the store to an earlier state, like a failover to a replica that lagged behind. Commits acknowledged since
   * then are lost, while nodes and processes continue to run.
   */
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

  /** Removes a node and its machine forever. The last node always stays. */
  lose(nodeId: string): void {
    if (this.nodes.filter(({ id }) => !this.gone.has(id)).length < 2) return
    this.crash(nodeId)
    this.gone.add(nodeId)
  }

  /** Starts a crashed node again, unless it is lost. */
  revive(node: SimulatedNode): void {
    if (node.life.alive || this.gone.has(node.id)) return
    node.start()
    this.trace.push(`${node.id} starts again`)
    node.open().catch((error: unknown) => {
      // A node that failed to open is started again, as a supervisor would do.
      if (!EXPECTED_ERRORS.test(String(error))) this.astonishing.push(`open: ${String(error)}`)
      this.crash(node.id)
    })
  }

  /** Ends all faults. */
  calmDown(): void {
    this.faults.end(this.clock.now())
    this.receiver.calmDown()
    for (const machine of this.machines.values()) {
      machine.fill(this.clock.now())
      machine.breakUntil(this.clock.now())
    }
    for (const { life } of this.nodes) awaken(life)
    this.trace.push('— faults are over')
  }

  passTime(ms: number): void {
    this.clock.advance(ms)
    for (const machine of this.machines.values()) machine.passTime(this.clock.now())
  }

  /** Returns the current state of the store, the machines and the reader of changes. */
  async look(): Promise<Look> {
    const { wentBack, clock, place, gone, guests, machines, proof } = this
    this.wentBack = false
    const store = await this.lookAtStore(wentBack)
    this.readLogs()
    const rest = {
      at: clock.now(),
      ...takeMachines(machines),
      regions: this.regions,
      silences: await this.silences.look(this.observer, machines.keys(), clock.now()),
      gone: new Set(gone),
      erased: new Set(guests.erased),
    }
    const feed = await this.readFeed()
    const all = JSON.stringify([
      this.writes,
      feed !== undefined,
      { ...rest, silences: undefined, gone: [...gone], erased: guests.erased.size },
    ])
    const isAsBefore = all === this.lastLook
    this.lastLook = all
    return { ...rest, ...store, place, feed, vouched: proof.vouched, wentBack, isAsBefore }
  }

  /** Most turns write no data, and then the last snapshot of the store is still correct. */
  private async lookAtStore(wentBack: boolean): Promise<StoreSnapshot & Pick<Snapshot, 'begun'>> {
    const { seen, writes, observer, history } = this
    if (seen?.writes === writes) return seen.snapshot
    const stored = await takeSnapshot(observer, this.place)
    const snapshot = { ...stored, begun: this.beginnings.note(stored) }
    if (wentBack) await forgetLost(observer, history)
    await readOn(observer, history, snapshot.lobbies.keys())
    this.seen = { writes, snapshot }
    return snapshot
  }

  /** Reads one page of the project's changes for each snapshot. */
  private async readFeed(): Promise<Snapshot['feed']> {
    if (this.place.projectId === '') return undefined
    this.feed ??= new FeedReader(this.place.projectId)
    return (await this.feed.readPage(this.observer)) ? this.feed.known : undefined
  }

  /** Returns the faults of webhook deliveries: a due message was not sent, or a delivered message was not received. */
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
    // Data that were read before and after the storage returned to an earlier state may contradict each other.
    if (history !== this.histories) return
    const fails = error instanceof ServiceError && FAILURES.has(error.kind)
    if (applied && fails && !isTick(name)) this.astonishing.push(`${name} was done and answered as ${error.code}`)
    const unforeseen = !(error instanceof ServiceError) && !(isTick(name) && EXPECTED_ERRORS.test(String(error)))
    if (unforeseen) this.astonishing.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`)
  }

  count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
  }

  /** Errors that the core catches and logs must be failures that the simulator allows, for example of ports. */
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
