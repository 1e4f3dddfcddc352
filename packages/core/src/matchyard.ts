import { DEFAULT_MAX_LOBBIES_PER_PROJECT } from './catalog/limits'
import { type PlanLimits, SELF_HOSTED_LIMITS } from './catalog/plans'
import { DEFAULT_PRICES, type PriceTable } from './catalog/prices'
import { Draft } from './commit/draft'
import { jobs } from './commit/jobs'
import { apply, unavailableInsteadOf } from './commit/transact'
import type { Context } from './context/context'
import { DomainEventEmitter } from './context/domain-event-emitter'
import { KeySets } from './context/key-sets'
import { KeyedQueue } from './context/keyed-queue'
import { logSlots } from './context/log-slots'
import { NodeRoom } from './context/node-room'
import { PresenceTracker } from './context/presence-tracker'
import { PROBLEMS_FOR_MS } from './context/problem'
import { SharedAnswers } from './context/shared-answers'
import { SilentEndpoints } from './context/silent-endpoints'
import { uploadSlots } from './context/upload-slots'
import { WatchedTime } from './context/watched-time'
import { Directors } from './director/directors'
import { bindAccess } from './operations/access'
import { bindCalls } from './operations/index'
import type { Matchyard } from './operations/service'
import type { BuildStore } from './ports/build-store'
import type { Clock, Timers } from './ports/clock'
import type { AddressPolicy, GuardedFetch } from './ports/guarded-fetch'
import type { Ids } from './ports/ids'
import { type Logger, quietly, unfailing } from './ports/logger'
import { noBuildStore, noGuardedFetch, noOrchestrator, noPayments, noPeers, noPlayerTokens } from './ports/none'
import type { Orchestrator } from './ports/orchestrator'
import type { Passwords } from './ports/passwords'
import type { Payments } from './ports/payments'
import type { Peers } from './ports/peers'
import type { PlayerTokens } from './ports/player-tokens'
import type { Random } from './ports/random'
import { type CommitConflict, type Storage, StorageUnavailable } from './ports/storage/index'
import type { Tokens } from './ports/tokens'
import { type Tracing, unfailingTracing } from './ports/tracing'
import { keepWarm } from './runtime/keep-warm'
import { NodeWatch } from './runtime/node-watch'
import { answerPeer } from './runtime/peer-logs'
import { reconcileServers } from './runtime/reconcile'
import { roomFigures } from './runtime/room-figures'
import { sweepUploads } from './runtime/sweep-uploads'
import { countUnseen } from './runtime/unseen-archives'
import { DEFAULT_LAUNCH_TIMEOUT_MS, STOP_GRACE_MS } from './server/game-server'
import { requireKnownOptions } from './shared/known-names'
import { DEFAULT_STREAM_LIMITS, NodeStreams, type StreamLimits } from './streams/index'
import { ProposalAnswers } from './use-cases/lobbies/proposal-answers'
import { QuickJoins } from './use-cases/lobbies/quick-join'
import { type Message, plainBody } from './webhook/message'
import { WorkerLoop } from './worker/loop'
import { runDueJobs } from './worker/run-due-jobs'

export interface MatchyardOptions {
  readonly storage: Storage
  /** The platform: `nodePlatform({ secret })` of `@matchyard/node` gives all six, and `guardedFetch` and `playerTokens`. */
  readonly clock: Clock
  readonly timers: Timers
  readonly ids: Ids
  readonly random: Random
  readonly tokens: Tokens
  readonly passwords: Passwords
  /** Calls addresses that your users name; default: none, and nothing that needs it can be set up. */
  readonly guardedFetch?: GuardedFetch
  /** Which of those addresses may be called beside public ones; default: none, and only https. */
  readonly addresses?: Partial<AddressPolicy>
  /**
   * What is sent to webhooks: `webhookBody` of `@matchyard/http` writes what the HTTP API shows. Default: as the calls of this object
   * answer it, `{ id, type, createdAt, projectId, data }`.
   */
  readonly webhookBody?: (message: Message) => string
  /** Verifies what players' issuers have signed; default: nothing, and every player token is invalid. */
  readonly playerTokens?: PlayerTokens
  /** Default: none, for studios that run their own servers. */
  readonly orchestrator?: Orchestrator
  readonly buildStore?: BuildStore
  readonly payments?: Payments
  /** Asks the other nodes that share the storage, and says by which URL they ask this one; default: none is asked. */
  readonly peers?: Peers
  /** Default: silent. */
  readonly logger?: Logger
  /** Tells where the time of calls goes, over all nodes; default: nothing is traced. */
  readonly tracing?: Tracing
  /** Names this process among those that share the storage; the same after a restart. Default `node`. */
  readonly nodeId?: string
  /** Where game servers and uploads reach this service. */
  readonly apiUrl?: string | (() => string)
  /** Milliseconds from the first attempt to launch to `running`; default 60,000. */
  readonly launchTimeoutMs?: number
  /** Milliseconds that a server waits for room, and a match for a server that the studio brings (`source: 'external'`); default 120,000. */
  readonly capacityTimeoutMs?: number
  /** Milliseconds between SIGTERM and SIGKILL; default 10,000. */
  readonly stopGraceMs?: number
  /** Milliseconds of silence after which a node is gone and the others end its game servers in the record; default 30,000. */
  readonly nodeLostAfterMs?: number
  /** Bytes of one uploaded archive; default 2 GiB. */
  readonly maxUploadBytes?: number
  /** Lobbies that live in one project at once, at least 1; default 200,000. One more is refused with `UNAVAILABLE`. */
  readonly maxLobbiesPerProject?: number
  readonly prices?: PriceTable
  /** What accounts on the tariff `self_hosted` may do, which `accounts.create` makes; default: everything. -1 is unlimited. */
  readonly operatorLimits?: Partial<PlanLimits>
  /** How much event streams may hold on this node; see DEFAULT_STREAM_LIMITS. */
  readonly streams?: Partial<StreamLimits>
  /** Told of every commit that lost to another one, for metrics; what it throws is nobody's failure. */
  readonly onConflict?: (conflict: CommitConflict) => void
}

const DEFAULT_CAPACITY_TIMEOUT_MS = 120_000

/** Every option, and whether the service is nothing without it. */
const OPTIONS: { readonly [Name in keyof Required<MatchyardOptions>]: 'required' | 'optional' } = {
  storage: 'required',
  clock: 'required',
  timers: 'required',
  ids: 'required',
  random: 'required',
  tokens: 'required',
  passwords: 'required',
  guardedFetch: 'optional',
  addresses: 'optional',
  webhookBody: 'optional',
  playerTokens: 'optional',
  orchestrator: 'optional',
  buildStore: 'optional',
  payments: 'optional',
  peers: 'optional',
  logger: 'optional',
  tracing: 'optional',
  nodeId: 'optional',
  apiUrl: 'optional',
  launchTimeoutMs: 'optional',
  capacityTimeoutMs: 'optional',
  stopGraceMs: 'optional',
  nodeLostAfterMs: 'optional',
  maxUploadBytes: 'optional',
  maxLobbiesPerProject: 'optional',
  prices: 'optional',
  operatorLimits: 'optional',
  streams: 'optional',
  onConflict: 'optional',
}

function requireOptions(options: MatchyardOptions): void {
  requireKnownOptions('createMatchyard', options, Object.keys(OPTIONS))
  for (const [name, need] of Object.entries(OPTIONS)) {
    const given = options[name as keyof MatchyardOptions]
    if (need === 'optional' || (typeof given === 'object' && given !== null)) continue
    const mend =
      name === 'storage' ? 'memoryStorage(), sqliteStorage(…)' : 'nodePlatform({ secret }) of @matchyard/node'
    throw new TypeError(`createMatchyard: the port ${name} is missing; ${mend} gives one`)
  }
  requireKnownOptions('createMatchyard, streams', options.streams ?? {}, Object.keys(DEFAULT_STREAM_LIMITS))
  requireKnownOptions('createMatchyard, addresses', options.addresses ?? {}, Object.keys(PUBLIC_ADDRESSES))
  requireKnownOptions('createMatchyard, operatorLimits', options.operatorLimits ?? {}, Object.keys(SELF_HOSTED_LIMITS))
}

/** How soon the jobs that every installation has are put again, where its disk was full as it was opened. */
const STANDING_JOBS_MS = 5_000

/** Nobody but the public internet, and nothing that others can read on the way. */
const PUBLIC_ADDRESSES: AddressPolicy = { allowLoopback: false, allowPrivate: false, httpsOnly: true }

const DEFAULT_NODE_LOST_AFTER_MS = 30_000
const DEFAULT_MAX_UPLOAD_BYTES = 2 * 1024 ** 3

/**
 * Puts the service together from its ports. Throws TypeError for an option that nobody knows and for a port that is missing. Nothing
 * is read or written before `open` or `start`:
 * `const matchyard = createMatchyard({ storage, ...nodePlatform({ secret }) }); await matchyard.start()`.
 */
export function createMatchyard(options: MatchyardOptions): Matchyard {
  requireOptions(options)
  const ctx = createContext(options)
  const directors = new Directors(ctx)
  const streams = new NodeStreams(ctx, { ...DEFAULT_STREAM_LIMITS, ...options.streams })
  const nodes = new NodeWatch(ctx)
  const pings = new SharedAnswers<void>(ctx.clock)
  const loop = new WorkerLoop(ctx, directors, nodes)
  let running = false
  let opened: Promise<void> | undefined
  let cancelLater = () => {}

  const open = async () => {
    await ctx.storage.migrate()
    ctx.clock.advanceTo?.(await ctx.storage.newestInstant())
    await ctx.orchestrator.open()
    await sweepUploads(ctx)
    ctx.startServing()
    try {
      // What this node had in hand when it died is nobody's any more.
      await ctx.storage.jobs.releaseHeld(ctx.settings.nodeId)
      await putStandingJobs()
    } catch (error) {
      if (!(error instanceof StorageUnavailable && error.isFull)) throw error
      ctx.logger.error('the disk of the storage is full: writes are refused, reads go on', { error: error.message })
      // What it had in hand runs out by itself within seconds.
      putLater()
    }
  }

  const putStandingJobs = async () => {
    const now = ctx.clock.now()
    await apply(ctx, new Draft(now).job(jobs.prune(now)).job(jobs.pruneEvents(now)))
  }
  const putLater = () => {
    cancelLater = ctx.timers.after(STANDING_JOBS_MS, () => void putStandingJobs().catch(putLater))
  }

  return {
    ...bindCalls(
      Object.assign(ctx, { streams, directors, quickJoins: new QuickJoins(ctx), answers: new ProposalAnswers(ctx) }),
    ),
    access: bindAccess(ctx),

    events: ctx.events,

    feed: (projectId, options) => streams.projects.open(projectId, options),

    worker: {
      runDueJobs: () => runDueJobs(ctx),
      async reconcileServers(among) {
        if (among !== undefined) return void (await reconcileServers(ctx, { among: new Set(among) }))
        await reconcileServers(ctx)
        await keepWarm(ctx)
      },
      watchNodes: () => nodes.look(),
      notePresence: () => ctx.presence.sweep(ctx.clock.now()),
    },

    answerPeer: (query) => unavailableInsteadOf(() => answerPeer(ctx, query)),

    jobsInHand: () => loop.jobsInHand(),

    openStreams: () => streams.open,
    feedFigures: () => streams.projects.figures,

    open(): Promise<void> {
      opened ??= open()
      return opened
    },

    async start(): Promise<void> {
      await this.open()
      running = true
      loop.start()
    },

    async handOver(): Promise<void> {
      if (running) await loop.handOver()
    },

    async stop(): Promise<void> {
      cancelLater()
      streams.close()
      if (running) await loop.stop()
      running = false
      // The end of each stream was a sighting.
      await ctx.presence.sweep(ctx.clock.now())
      await ctx.orchestrator.close()
      await ctx.storage.close()
    },

    ping: () => pings.get('storage', () => ctx.storage.ping()),

    unseenArchives: () => countUnseen(ctx),

    metrics: async () => {
      const [stored, room] = await Promise.all([ctx.storage.metrics(ctx.clock.now()), roomFigures(ctx)])
      return { ...stored, room }
    },
  }
}

function createContext(options: MatchyardOptions): Context & { startServing(): void } {
  const { storage, clock, timers, ids, random, tokens, passwords, apiUrl } = options
  const logger = unfailing(options.logger)
  const guardedFetch = options.guardedFetch ?? noGuardedFetch
  const addressPolicy = { ...PUBLIC_ADDRESSES, ...options.addresses }
  return {
    storage,
    clock,
    timers,
    ids,
    random,
    tokens,
    passwords,
    logger,
    tracing: unfailingTracing(options.tracing),
    messageBody: options.webhookBody ?? plainBody,
    guardedFetch,
    playerTokens: options.playerTokens ?? noPlayerTokens,
    orchestrator: options.orchestrator ?? noOrchestrator,
    buildStore: options.buildStore ?? noBuildStore,
    payments: options.payments ?? noPayments,
    peers: options.peers ?? noPeers,
    settings: {
      nodeId: options.nodeId ?? 'node',
      apiUrl: typeof apiUrl === 'function' ? apiUrl : () => apiUrl ?? '',
      launchTimeoutMs: options.launchTimeoutMs ?? DEFAULT_LAUNCH_TIMEOUT_MS,
      capacityTimeoutMs: options.capacityTimeoutMs ?? DEFAULT_CAPACITY_TIMEOUT_MS,
      stopGraceMs: options.stopGraceMs ?? STOP_GRACE_MS,
      nodeLostAfterMs: options.nodeLostAfterMs ?? DEFAULT_NODE_LOST_AFTER_MS,
      maxUploadBytes: options.maxUploadBytes ?? DEFAULT_MAX_UPLOAD_BYTES,
      maxLobbiesPerProject: options.maxLobbiesPerProject ?? DEFAULT_MAX_LOBBIES_PER_PROJECT,
      prices: options.prices ?? DEFAULT_PRICES,
      addressPolicy,
      operatorLimits: { ...SELF_HOSTED_LIMITS, ...options.operatorLimits },
    },
    events: new DomainEventEmitter(logger),
    turns: new KeyedQueue(),
    room: new NodeRoom(),
    silentEndpoints: new SilentEndpoints(),
    uploads: uploadSlots(),
    logReads: logSlots(),
    presence: new PresenceTracker(storage, logger),
    onConflict: (conflict) => quietly(() => options.onConflict?.(conflict)),
    keySets: new KeySets({ guardedFetch, clock, logger }, addressPolicy),
    hours: new SharedAnswers(clock),
    fieldsRead: new SharedAnswers(clock),
    crowds: new SharedAnswers(clock),
    holds: new SharedAnswers(clock),
    lobbyCounts: new SharedAnswers(clock),
    problems: new SharedAnswers(clock, PROBLEMS_FOR_MS),
    launchesAway: new Map(),
    unseenArchives: new Map(),
    watched: new WatchedTime(),
    warmSeen: new Map(),
    warmMeters: new Map(),
    inFlight: new Set(),
    servingSince: clock.now(),
    startServing() {
      // Silence while nobody could be heard counts for nobody.
      Object.assign(this, { servingSince: clock.now() })
    },
  }
}
