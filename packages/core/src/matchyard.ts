import { Draft } from './commit/draft'
import { jobs } from './commit/jobs'
import { apply, unavailableInsteadOf } from './commit/transact'
import { Directors } from './director/directors'
import { ServiceError } from './errors/service-error'
import { newNode } from './node/new-node'
import type { Service } from './node/service'
import { SharedAnswers } from './node/shared-answers'
import { bindAccess } from './operations/access'
import { requireForAgents } from './operations/agent-calls'
import type { ConsumerCalls } from './operations/consumer-calls'
import type { AnyGame, GameTypes, JsonGame } from './operations/game-types'
import type { FeedView } from './operations/in-game'
import { bindCalls } from './operations/index'
import { projectCalls } from './operations/of-project'
import type { Matchyard } from './operations/service'
import { StorageUnavailable } from './ports/storage/index'
import { nodeSighting } from './reads/node-presence'
import { keepWarm } from './runtime/keep-warm'
import { needsBuild } from './runtime/needs-build'
import { NodeWatch } from './runtime/node-watch'
import { answerPeer } from './runtime/peer-logs'
import { reconcileServers } from './runtime/reconcile'
import { roomFigures } from './runtime/room-figures'
import { sweepUploads } from './runtime/sweep-uploads'
import { countUnseen } from './runtime/unseen-archives'
import { type MatchyardOptions, requireOptions } from './setup/options'
import { portsOf } from './setup/ports-of'
import { DEFAULT_STREAM_LIMITS, NodeStreams } from './streams/index'
import { consumeMessages } from './use-cases/consumers/consume-messages'
import { removeConsumer } from './use-cases/consumers/register-consumer'
import { ProposalAnswers } from './use-cases/lobbies/proposal-answers'
import { QuickJoins } from './use-cases/lobbies/quick-join'
import { AgentHosts } from './worker/agent-hosts'
import { HostedLoops } from './worker/hosted-loops'
import { WorkerLoop } from './worker/loop'
import { NodeCounts } from './worker/node-counts'
import { runDueJobs } from './worker/run-due-jobs'

/** Milliseconds between two tries to create the jobs of the installation, when the disk was full at the opening of the service. */
const STANDING_JOBS_MS = 5_000

/**
 * Returns a service that uses the given ports. Throws TypeError for an unknown option and for a missing port. The service reads and writes
 * nothing before `open` or `start`: `const matchyard = createMatchyard({ storage, ...nodePlatform({ secret }) }); await matchyard.start()`.
 * `createMatchyard<{ state: Rank; settings: Rules }>(…)` gives the states of players and the settings of lobbies the game's own types.
 */
export const createMatchyard: CreateMatchyard = serviceOf as never

interface CreateMatchyard {
  <Game extends GameTypes & JsonGame<Game> = AnyGame>(options: MatchyardOptions): Matchyard<Game>
  /** Returns a service whose states and settings are any JSON objects. */
  (options: MatchyardOptions): Matchyard
}

function serviceOf(options: MatchyardOptions): Matchyard {
  requireOptions(options)
  const ports = portsOf(options)
  const ctx: Service = { ...ports, node: newNode(ports) }
  const directors = new Directors(ctx)
  const streams = new NodeStreams(ctx, { ...DEFAULT_STREAM_LIMITS, ...options.streams })
  const nodes = new NodeWatch(ctx)
  const pings = new SharedAnswers<void>(ctx.clock)
  const hosted = new HostedLoops(ctx)
  const counts = new NodeCounts(ctx, () => streams.ofProjects())
  const loop = new WorkerLoop(ctx, directors, nodes, hosted, counts)
  const agents = new AgentHosts(ctx, hosted)
  let running = false
  let opened: Promise<void> | undefined
  let cancelLater = () => {}

  const open = async () => {
    await ctx.storage.migrate()
    ctx.clock.advanceTo?.(await ctx.storage.newestInstant())
    await ctx.orchestrator.open()
    await sweepUploads(ctx)
    // This process could not receive heartbeats before this instant, so the silence of players before it does not count.
    ctx.node.servingSince = ctx.clock.now()
    try {
      // Jobs that this node had claimed before a restart can run again.
      await ctx.storage.jobs.releaseHeld(ctx.settings.nodeId)
      await putStandingJobs()
    } catch (error) {
      if (!(error instanceof StorageUnavailable && error.isFull)) throw error
      ctx.logger.error('the disk of the storage is full: writes are refused, reads go on', { error: error.message })
      // The claims that this node still holds expire within seconds.
      putLater()
    }
  }

  const putStandingJobs = async () => {
    const now = ctx.clock.now()
    await apply(
      ctx,
      new Draft(now)
        .job(jobs.prune(now))
        .job(jobs.pruneEvents(now))
        .job(jobs.pruneLogs(now))
        .job(jobs.rollUp(now))
        .job(jobs.watchProblems(now)),
    )
  }
  const putLater = () => {
    cancelLater = ctx.timers.after(STANDING_JOBS_MS, () => void putStandingJobs().catch(putLater))
  }

  const calls = bindCalls({
    ...{ ...ctx, streams, directors },
    ...{ quickJoins: new QuickJoins(ctx), answers: new ProposalAnswers(ctx) },
  })
  const feed: Matchyard['feed'] = async (projectId, of) =>
    (await streams.projects.open(projectId, of)) as FeedView<AnyGame>

  const consuming: ConsumerCalls = {
    consume: (input, handler) => consumeMessages(ctx, input, handler),
    removeConsumer: (input) => removeConsumer(ctx, input),
  }

  return {
    ...calls,
    ...consuming,
    access: bindAccess(ctx),
    project: (projectId) => projectCalls(calls, projectId, { feed, ...consuming }),

    events: ctx.node.events as Matchyard['events'],

    feed,

    worker: {
      runDueJobs: () => runDueJobs(ctx),
      async reconcileServers(among) {
        await reconcileServers(ctx, among === undefined ? {} : { among: new Set(among) })
        await keepWarm(ctx)
      },
      watchNodes: () => nodes.look(),
      notePresence: () => ctx.node.presence.sweep(ctx.clock.now()),
      noteCounts: () => counts.write(),
    },

    agents: {
      connect: async (connection) => {
        requireForAgents(ctx.orchestrator)
        // The machines need the background work of this node.
        if (!running) throw new ServiceError('UNAVAILABLE', 'this node takes no agents, because it is not started')
        return agents.connect(connection)
      },
      hear: (input) => agents.hear(input),
      holderOf: async (machineId) => (await nodeSighting(ctx, machineId))?.peerUrl,
      needsBuild: (input) => unavailableInsteadOf(() => needsBuild(ctx, input)),
    },

    answerPeer: (query) => unavailableInsteadOf(() => answerPeer(ctx, query)),

    jobsInHand: () => loop.jobsInHand(),

    openStreams: () => streams.open,
    countRefusal: (projectId, code) => ctx.node.refusals.count(projectId, code),
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
      if (running) await Promise.all([loop.handOver(), agents.stop()])
    },

    async stop(): Promise<void> {
      cancelLater()
      await agents.stop()
      streams.close()
      if (running) await loop.stop()
      running = false
      // Each stream that was closed has recorded that its player was present; the sweep writes these records.
      await ctx.node.presence.sweep(ctx.clock.now())
      await counts.writeLast()
      await ctx.orchestrator.close()
      await ctx.storage.close()
    },

    ping: () => pings.get('storage', () => ctx.storage.ping()),

    unseenArchives: () => countUnseen(ctx),
    historyRowsDropped: () => ctx.node.historyDropped.count,

    metrics: async () => {
      const [stored, room] = await Promise.all([ctx.storage.metrics(ctx.clock.now()), roomFigures(ctx)])
      return { ...stored, room }
    },
  }
}
