import type { JobSpec } from '../ports/storage/index'
import type { JsonObject } from '../shared/json'

/** Kinds of jobs, each with a handler that reads and decides again. A stale job does nothing. */
export const JOB_KINDS = [
  'watch-lobby',
  'expire-ticket',
  'release-invite-code',
  'rewatch-queue',
  'requeue-tickets',
  'drop-unproven',
  'begin-match',
  'expire-assignment',
  'expire-match',
  'enter-match',
  'expire-backfill',
  'expire-proposal',
  'spread-proposal',
  'forget-proposal',
  'launch-server',
  'relaunch-server',
  'stop-server',
  'release-server',
  'expire-server',
  'process-build',
  'expire-upload',
  'watch-upload',
  'remove-artifact',
  'clear-project',
  'end-period',
  'forget-session',
  'forget-key',
  'erase-player',
  'send-delivery',
  'prune',
  'prune-events',
] as const
export type JobKind = (typeof JOB_KINDS)[number]

interface Owned {
  readonly id: string
  readonly accountId: string
}
type OfQueue = { readonly projectId: string; readonly queueId: string }

/** The service's own work. */
const NOBODY = ''

const job = (kind: JobKind, target: string, tenant: string, runAt: number, payload: JsonObject): JobSpec => ({
  id: `${kind}:${target}`,
  kind,
  runAt,
  tenant,
  payload,
})
const ofLobby = (kind: JobKind, { id, accountId }: Owned, runAt: number) =>
  job(kind, id, accountId, runAt, { lobbyId: id })
const ofServer = (kind: JobKind, { id, accountId }: Owned, runAt: number) =>
  job(kind, id, accountId, runAt, { instanceId: id })
const ofMatch = (kind: JobKind, { id, accountId }: Owned, runAt: number) =>
  job(kind, id, accountId, runAt, { matchId: id })
const ofBuild = (kind: JobKind, { id, accountId }: Owned, runAt: number) =>
  job(kind, id, accountId, runAt, { buildId: id })
// A queue does not say whose it is; its project stands for the account there.
const ofQueue = (kind: JobKind, { projectId, queueId }: OfQueue, runAt: number) =>
  job(kind, `${projectId}/${queueId}`, projectId, runAt, { projectId, queueId })

/** The makers of jobs; the id is the kind and its target, so each thing has one job of a kind at the most. */
export const jobs = {
  /** Drops silent players and deletes an idle lobby. */
  watchLobby: (lobby: Owned, runAt: number) => ofLobby('watch-lobby', lobby, runAt),
  /** Ends a ticket's stay at its timeout. */
  expireTicket: (lobby: Owned, ticketId: string, runAt: number) =>
    job('expire-ticket', lobby.id, lobby.accountId, runAt, { lobbyId: lobby.id, ticketId }),
  releaseInviteCode: (holdId: string, accountId: string, runAt: number) =>
    job('release-invite-code', holdId, accountId, runAt, { holdId }),
  /** After a queue's timeouts changed: look at each of its lobbies again. */
  rewatchQueue: (queue: OfQueue, runAt: number) => ofQueue('rewatch-queue', queue, runAt),
  /** After a queue's matchmaking changed: tickets that can no longer match return to waiting. */
  requeueTickets: (queue: OfQueue, runAt: number) => ofQueue('requeue-tickets', queue, runAt),
  /** After fields of a queue became trusted: values that players' clients wrote there are removed. */
  dropUnproven: (queue: OfQueue, runAt: number) => ofQueue('drop-unproven', queue, runAt),
  /** A match without a server goes on to in_game. */
  beginMatch: (match: Owned, runAt: number) => ofMatch('begin-match', match, runAt),
  /** Ends a match whose server nobody told in time. */
  expireAssignment: (match: Owned, runAt: number) => ofMatch('expire-assignment', match, runAt),
  /** Ends a match that nobody ended. */
  expireMatch: (match: Owned, runAt: number) => ofMatch('expire-match', match, runAt),
  /** Ends a proposed match to which not everybody answered in time. */
  expireProposal: (match: Owned, runAt: number) => ofMatch('expire-proposal', match, runAt),
  /** Tells lobbies of a proposed match how many of the others have accepted. */
  spreadProposal: (match: Owned, runAt: number) => ofMatch('spread-proposal', match, runAt),
  /** Drops the row of a proposed match that was never made. */
  forgetProposal: (match: Owned, runAt: number) => ofMatch('forget-proposal', match, runAt),
  /** Newcomers of a running match go on to in_game. */
  enterMatch: (match: Owned, runAt: number) => ofMatch('enter-match', match, runAt),
  /** Ends a match's request for newcomers at its timeout, or renews it. */
  expireBackfill: (match: Owned, runAt: number) => ofMatch('expire-backfill', match, runAt),
  launchServer: (server: Owned, runAt: number) => ofServer('launch-server', server, runAt),
  relaunchServer: (server: Owned, runAt: number) => ofServer('relaunch-server', server, runAt),
  stopServer: (server: Owned, runAt: number) => ofServer('stop-server', server, runAt),
  /** Lets the orchestrator forget an ended server. */
  releaseServer: (server: Owned, runAt: number) => ofServer('release-server', server, runAt),
  expireServer: (server: Owned, runAt: number) => ofServer('expire-server', server, runAt),
  processBuild: (build: Owned, runAt: number) => ofBuild('process-build', build, runAt),
  expireUpload: (build: Owned, runAt: number) => ofBuild('expire-upload', build, runAt),
  /** Looks whether a direct upload has arrived. */
  watchUpload: (build: Owned, runAt: number) => ofBuild('watch-upload', build, runAt),
  removeArtifact: (build: Owned, runAt: number) => ofBuild('remove-artifact', build, runAt),
  /** Ends the lobbies, queues and builds of a deleted project. */
  clearProject: ({ id, accountId }: Owned, runAt: number) =>
    job('clear-project', id, accountId, runAt, { projectId: id }),
  /** Drops the row of a session that has run out. */
  forgetSession: ({ id, accountId }: Owned, runAt: number) =>
    job('forget-session', id, accountId, runAt, { sessionId: id }),
  /** Drops the row of a key whose time is over. */
  forgetKey: ({ id, accountId }: Owned, runAt: number) => job('forget-key', id, accountId, runAt, { keyId: id }),
  /** Takes a player out of everything that is kept. */
  erasePlayer: (projectId: string, playerId: string, accountId: string, runAt: number) =>
    job('erase-player', JSON.stringify([projectId, playerId]), accountId, runAt, { projectId, playerId }),
  /** Applies a pending plan at the end of the period. */
  endPeriod: (accountId: string, runAt: number) => job('end-period', accountId, accountId, runAt, { accountId }),
  /** Forgets what nobody may ask for any more; puts itself again. */
  prune: (runAt: number) => job('prune', 'all', NOBODY, runAt, {}),
  /** Prunes logs; schedules itself again. */
  pruneEvents: (runAt: number) => job('prune-events', 'all', NOBODY, runAt, {}),
  /** Sends a message to an endpoint, which is who takes turns here: one that is slow keeps none of another's hands. */
  sendDelivery: ({ id, webhookId }: { readonly id: string; readonly webhookId: string }, runAt: number) =>
    job('send-delivery', id, webhookId, runAt, { deliveryId: id }),
}
