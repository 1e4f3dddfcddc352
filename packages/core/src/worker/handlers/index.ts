import type { JobKind } from '../../commit/jobs'
import type { Context } from '../../context/context'
import { expireTicket, requeueTickets } from '../../director/tickets'
import { carryOutStop, expireServer, releaseServer } from '../../runtime/end-server'
import { launchServer } from '../../runtime/launch-server'
import { relaunchServer } from '../../runtime/relaunch-server'
import type { JsonObject } from '../../shared/json'
import { forgetSession } from '../../use-cases/accounts/forget-session'
import { releaseInviteCode } from '../../use-cases/lobbies/release-invite-code'
import { watchOverLobby } from '../../use-cases/lobbies/watch-over-lobby'
import { beginMatch } from '../../use-cases/matches/begin-match'
import { rewatchQueue } from '../../use-cases/queues/rewatch-queue'
import { handleClearProject } from './clear-project'
import { handleEndPeriod } from './end-period'
import { handleExpireUpload } from './expire-upload'
import type { HandledJob } from './handled-job'
import { handleProcessBuild } from './process-build'
import { prune, pruneEvents } from './prune'
import { handleRemoveArtifact } from './remove-artifact'

/**
 * Carries out one job. It re-reads and re-decides, so a stale or repeated run does nothing. Answers when to run again, or
 * undefined when the job is done; what it throws is logged and tried again with back-off.
 */
export type JobHandler = (ctx: Context, job: HandledJob) => Promise<number | undefined>

const done =
  (handle: (ctx: Context, job: HandledJob) => Promise<void>): JobHandler =>
  async (ctx, job) => {
    await handle(ctx, job)
    return undefined
  }

/** A text that the job was made with; a job without it is a bug. */
function text(payload: JsonObject, key: string): string {
  const value = payload[key]
  if (typeof value !== 'string') throw new Error(`the job has no ${key}`)
  return value
}

const on =
  (key: string, handle: (ctx: Context, id: string) => Promise<number | undefined>): JobHandler =>
  (ctx, { payload }) =>
    handle(ctx, text(payload, key))

const onQueue = (handle: (ctx: Context, projectId: string, queueId: string) => Promise<void>): JobHandler =>
  done((ctx, { payload }) => handle(ctx, text(payload, 'projectId'), text(payload, 'queueId')))

/** Kind of job to its handler; the only place from which adapters that act outside are called. */
export const HANDLERS: Readonly<Record<JobKind, JobHandler>> = {
  'watch-lobby': on('lobbyId', watchOverLobby),
  'expire-ticket': done((ctx, { payload }) => expireTicket(ctx, text(payload, 'lobbyId'), text(payload, 'ticketId'))),
  'release-invite-code': done((ctx, { payload }) => releaseInviteCode(ctx, text(payload, 'holdId'))),
  'rewatch-queue': onQueue(rewatchQueue),
  'requeue-tickets': onQueue(requeueTickets),
  'begin-match': done((ctx, { payload }) => beginMatch(ctx, text(payload, 'matchId'))),
  'launch-server': (ctx, { payload, lapsed }) => launchServer(ctx, text(payload, 'instanceId'), { takeOver: lapsed }),
  'relaunch-server': on('instanceId', relaunchServer),
  'stop-server': done((ctx, { payload }) => carryOutStop(ctx, text(payload, 'instanceId'))),
  'release-server': on('instanceId', releaseServer),
  'expire-server': on('instanceId', expireServer),
  'process-build': done(handleProcessBuild),
  'expire-upload': done(handleExpireUpload),
  'remove-artifact': done(handleRemoveArtifact),
  'clear-project': done(handleClearProject),
  'end-period': done(handleEndPeriod),
  'forget-session': done((ctx, { payload }) => forgetSession(ctx, text(payload, 'sessionId'))),
  prune,
  'prune-events': pruneEvents,
}
