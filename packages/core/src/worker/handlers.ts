import { endOtherSearches } from '../commit/end-other-searches'
import type { JobKind } from '../commit/jobs'
import { isConsumeKind } from '../consumer/job-kind'
import { expireTicket, requeueTickets } from '../director/tickets'
import type { Service } from '../node/service'
import type { ClaimedJob } from '../ports/storage/index'
import { consume } from '../runtime/consume'
import { endDrain } from '../runtime/drain'
import { drainBuild, stopBuild, watchDrain } from '../runtime/empty-build'
import { carryOutStop, expireServer, releaseServer } from '../runtime/end-server'
import { expireUpload } from '../runtime/expire-upload'
import { keepServerLog, pruneLogs } from '../runtime/kept-logs'
import { launchServer } from '../runtime/launch-server'
import { processBuild } from '../runtime/process-build'
import { relaunchServer } from '../runtime/relaunch-server'
import { removeArtifact } from '../runtime/remove-artifact'
import { sendDelivery } from '../runtime/send-delivery'
import { watchUpload } from '../runtime/watch-upload'
import type { JsonObject } from '../shared/json'
import { forgetSession } from '../use-cases/accounts/forget-session'
import { endSearches } from '../use-cases/bans/end-searches'
import { endAccountPeriod } from '../use-cases/billing/end-period'
import { clearConsumer } from '../use-cases/consumers/clear-consumer'
import { forgetKey } from '../use-cases/keys/forget-key'
import { releaseInviteCode } from '../use-cases/lobbies/release-invite-code'
import { requeueLobby } from '../use-cases/lobbies/requeue-lobby'
import { settleStatesOfQueue } from '../use-cases/lobbies/settle-states'
import { watchOverLobby } from '../use-cases/lobbies/watch-over-lobby'
import { beginMatch } from '../use-cases/matches/begin-match'
import { enterMatch } from '../use-cases/matches/enter-match'
import { expireAssignment } from '../use-cases/matches/expire-assignment'
import { expireBackfill } from '../use-cases/matches/expire-backfill'
import { expireMatch } from '../use-cases/matches/expire-match'
import { expireProposal } from '../use-cases/matches/expire-proposal'
import { expireSeats } from '../use-cases/matches/expire-seats'
import { forgetProposal } from '../use-cases/matches/forget-proposal'
import { spreadProposal } from '../use-cases/matches/spread-proposal'
import { carryOutErasure } from '../use-cases/players/carry-out-erasure'
import { clearProject } from '../use-cases/projects/clear-project'
import { rewatchQueue } from '../use-cases/queues/rewatch-queue'
import { clearRating } from '../use-cases/ratings/clear-rating'
import { prune, pruneEvents } from './prune'
import { rollUp } from './roll-up'
import { watchBudget } from './watch-budget'
import { watchProblems } from './watch-problems'

/** Input of a handler: the payload, the number of attempts including this one, and whether the lease of the previous holder expired. */
export type HandledJob = Pick<ClaimedJob, 'payload' | 'attempts' | 'lapsed'>

/**
 * Runs one job. A handler reads the current state and decides again, so a job that is no longer needed, or that runs again, does nothing.
 * Returns the time of the next run; undefined when the job is done. Errors are logged, and the job is retried with backoff.
 */
export type JobHandler = (ctx: Service, job: HandledJob) => Promise<number | undefined>

const done =
  (handle: (ctx: Service, job: HandledJob) => Promise<void>): JobHandler =>
  async (ctx, job) => {
    await handle(ctx, job)
    return undefined
  }

/** Returns a text of the payload. Throws when the text is absent, because every job of the kind has it. */
function text(payload: JsonObject, key: string): string {
  const value = payload[key]
  if (typeof value !== 'string') throw new Error(`the job has no ${key}`)
  return value
}

const on =
  (key: string, handle: (ctx: Service, id: string) => Promise<number | undefined>): JobHandler =>
  (ctx, { payload }) =>
    handle(ctx, text(payload, key))

const once = (key: string, handle: (ctx: Service, id: string) => Promise<void>): JobHandler =>
  done((ctx, { payload }) => handle(ctx, text(payload, key)))

const onQueue = (handle: (ctx: Service, projectId: string, queueId: string) => Promise<void>): JobHandler =>
  done((ctx, { payload }) => handle(ctx, text(payload, 'projectId'), text(payload, 'queueId')))

/** Handlers of all kinds of jobs. Only these handlers call the adapters that act outside the service. */
const HANDLERS: Readonly<Record<JobKind, JobHandler>> = {
  'watch-lobby': on('lobbyId', watchOverLobby),
  'expire-ticket': done((ctx, { payload }) => expireTicket(ctx, text(payload, 'lobbyId'), text(payload, 'ticketId'))),
  'requeue-lobby': once('lobbyId', requeueLobby),
  'release-invite-code': once('holdId', releaseInviteCode),
  'rewatch-queue': onQueue(rewatchQueue),
  'requeue-tickets': onQueue(requeueTickets),
  'settle-states': onQueue(settleStatesOfQueue),
  'begin-match': once('matchId', beginMatch),
  'expire-assignment': on('matchId', expireAssignment),
  'end-other-searches': once('matchId', endOtherSearches),
  'expire-match': on('matchId', expireMatch),
  'enter-match': once('matchId', enterMatch),
  'expire-backfill': on('matchId', expireBackfill),
  'expire-seats': on('matchId', expireSeats),
  'expire-proposal': on('matchId', expireProposal),
  'spread-proposal': once('matchId', spreadProposal),
  'forget-proposal': once('matchId', forgetProposal),
  'launch-server': (ctx, { payload, lapsed }) => launchServer(ctx, text(payload, 'instanceId'), { takeOver: lapsed }),
  'relaunch-server': on('instanceId', relaunchServer),
  'stop-server': once('instanceId', carryOutStop),
  'release-server': on('instanceId', releaseServer),
  'keep-log': on('instanceId', keepServerLog),
  'expire-server': on('instanceId', expireServer),
  'end-drain': on('machineId', endDrain),
  'process-build': done((ctx, { payload, attempts }) => processBuild(ctx, text(payload, 'buildId'), attempts)),
  'drain-build': once('buildId', drainBuild),
  'watch-drain': on('buildId', watchDrain),
  'stop-build': once('buildId', stopBuild),
  'expire-upload': on('buildId', expireUpload),
  'watch-upload': on('buildId', watchUpload),
  'remove-artifact': once('buildId', removeArtifact),
  'clear-project': once('projectId', clearProject),
  'end-period': on('accountId', endAccountPeriod),
  'forget-session': on('sessionId', forgetSession),
  'forget-key': on('keyId', forgetKey),
  'erase-player': (ctx, { payload }) => carryOutErasure(ctx, text(payload, 'projectId'), text(payload, 'playerId')),
  'clear-rating': on('ratingKey', clearRating),
  'end-searches': done((ctx, { payload }) => endSearches(ctx, text(payload, 'projectId'), text(payload, 'playerId'))),
  'clear-consumer': (ctx, { payload }) => clearConsumer(ctx, text(payload, 'projectId'), text(payload, 'consumer')),
  // The commit that scheduled the job has removed the backlog.
  'forget-backlog': async () => undefined,
  'send-delivery': on('deliveryId', sendDelivery),
  prune,
  'prune-events': pruneEvents,
  'prune-logs': pruneLogs,
  'roll-up': rollUp,
  'watch-problems': watchProblems,
  'watch-budget': on('projectId', watchBudget),
}

const handleConsumed = on('backlogId', consume)

/** Returns the handler of a kind of job. A node claims only jobs of kinds with a handler. */
export const handlerOf = (kind: string): JobHandler =>
  isConsumeKind(kind) ? handleConsumed : HANDLERS[kind as JobKind]
