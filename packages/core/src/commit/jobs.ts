import { consumeJobId, consumeKindOf } from '../consumer/job-kind'
import type { JobSpec } from '../ports/storage/index'
import { consumerKey } from '../project/consumer'
import type { JsonObject } from '../shared/json'

/** Kinds of jobs. The handler of each kind reads the present state and decides again, so a job that is no longer needed changes nothing. */
export const JOB_KINDS = [
  'watch-lobby',
  'expire-ticket',
  'requeue-lobby',
  'release-invite-code',
  'rewatch-queue',
  'requeue-tickets',
  'settle-states',
  'begin-match',
  'expire-assignment',
  'end-other-searches',
  'expire-match',
  'enter-match',
  'expire-backfill',
  'expire-seats',
  'expire-proposal',
  'spread-proposal',
  'forget-proposal',
  'launch-server',
  'relaunch-server',
  'stop-server',
  'release-server',
  'keep-log',
  'expire-server',
  'end-drain',
  'process-build',
  'drain-build',
  'watch-drain',
  'stop-build',
  'expire-upload',
  'watch-upload',
  'remove-artifact',
  'clear-project',
  'end-period',
  'forget-session',
  'forget-key',
  'erase-player',
  'clear-rating',
  'end-searches',
  'send-delivery',
  'clear-consumer',
  'forget-backlog',
  'prune',
  'prune-events',
  'prune-logs',
  'roll-up',
  'watch-problems',
  'watch-budget',
] as const
export type JobKind = (typeof JOB_KINDS)[number]

interface Owned {
  readonly id: string
  readonly accountId: string
}
type OfConsumer = { readonly projectId: string; readonly consumer: string }
type OfQueue = { readonly projectId: string; readonly queueId: string }

/** Tenant of the service's own jobs. */
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
// A queue's row does not contain the account id. The tenant of these jobs is therefore the project.
const ofQueue = (kind: JobKind, { projectId, queueId }: OfQueue, runAt: number) =>
  job(kind, `${projectId}/${queueId}`, projectId, runAt, { projectId, queueId })

/** Functions that create jobs. The id of a job consists of its kind and its target, so each target has at most one job of each kind. */
export const jobs = {
  /** Removes members who were silent for too long, and deletes an idle lobby. */
  watchLobby: (lobby: Owned, runAt: number) => ofLobby('watch-lobby', lobby, runAt),
  /** Ends the stay of a ticket in the queue at its timeout. */
  expireTicket: (lobby: Owned, ticketId: string, runAt: number) =>
    job('expire-ticket', lobby.id, lobby.accountId, runAt, { lobbyId: lobby.id, ticketId }),
  /** Puts a lobby back into its queue after a failed launch. */
  requeueLobby: (lobby: Owned, runAt: number) => ofLobby('requeue-lobby', lobby, runAt),
  releaseInviteCode: (holdId: string, accountId: string, runAt: number) =>
    job('release-invite-code', holdId, accountId, runAt, { holdId }),
  /** Checks each lobby of a queue after the queue's timeouts changed. */
  rewatchQueue: (queue: OfQueue, runAt: number) => ofQueue('rewatch-queue', queue, runAt),
  /** Returns tickets to `waiting` that can no longer match, after the queue's matchmaking changed. */
  requeueTickets: (queue: OfQueue, runAt: number) => ofQueue('requeue-tickets', queue, runAt),
  /** Removes values that players' clients wrote into fields that became trusted later. */
  settleStates: (queue: OfQueue, runAt: number) => ofQueue('settle-states', queue, runAt),
  /** Moves a match without a server to `in_game`. */
  beginMatch: (match: Owned, runAt: number) => ofMatch('begin-match', match, runAt),
  /** Ends a match to which the studio assigned no server in time. */
  expireAssignment: (match: Owned, runAt: number) => ofMatch('expire-assignment', match, runAt),
  /** Ends the other searches of the players of a match. */
  endOtherSearches: (match: Owned, runAt: number) => ofMatch('end-other-searches', match, runAt),
  /** Ends a match at its maximum duration. */
  expireMatch: (match: Owned, runAt: number) => ofMatch('expire-match', match, runAt),
  /** Ends a proposed match that not all players accepted before the deadline. */
  expireProposal: (match: Owned, runAt: number) => ofMatch('expire-proposal', match, runAt),
  /** Updates the number of accepted answers that the lobbies of a proposed match show. */
  spreadProposal: (match: Owned, runAt: number) => ofMatch('spread-proposal', match, runAt),
  /** Deletes the row of a proposed match that was not made. */
  forgetProposal: (match: Owned, runAt: number) => ofMatch('forget-proposal', match, runAt),
  /** Moves the new lobbies of a running match to `in_game`. */
  enterMatch: (match: Owned, runAt: number) => ofMatch('enter-match', match, runAt),
  /** Ends or renews a match's backfill request at its timeout. */
  expireBackfill: (match: Owned, runAt: number) => ofMatch('expire-backfill', match, runAt),
  /** Frees the kept seats of a match whose time is over. */
  expireSeats: (match: Owned, runAt: number) => ofMatch('expire-seats', match, runAt),
  launchServer: (server: Owned, runAt: number) => ofServer('launch-server', server, runAt),
  relaunchServer: (server: Owned, runAt: number) => ofServer('relaunch-server', server, runAt),
  stopServer: (server: Owned, runAt: number) => ofServer('stop-server', server, runAt),
  /** Releases the resources that the orchestrator holds for an ended server. */
  releaseServer: (server: Owned, runAt: number) => ofServer('release-server', server, runAt),
  /** Keeps the log of an ended server in the build store. */
  keepLog: (server: Owned, runAt: number) => ofServer('keep-log', server, runAt),
  expireServer: (server: Owned, runAt: number) => ofServer('expire-server', server, runAt),
  /** Stops the remaining servers of a draining machine at its deadline. */
  endDrain: ({ id }: { readonly id: string }, runAt: number) => job('end-drain', id, NOBODY, runAt, { machineId: id }),
  /** Empties a drained build: stops its servers without a match, and closes its matches to new players. */
  drainBuild: (build: Owned, runAt: number) => ofBuild('drain-build', build, runAt),
  /** Waits for the last server of a drained build. */
  watchDrain: (build: Owned, runAt: number) => ofBuild('watch-drain', build, runAt),
  /** Stops the servers of a build that were created by the time of the request. */
  stopBuild: (build: Owned, runAt: number) => ofBuild('stop-build', build, runAt),
  processBuild: (build: Owned, runAt: number) => ofBuild('process-build', build, runAt),
  expireUpload: (build: Owned, runAt: number) => ofBuild('expire-upload', build, runAt),
  /** Checks whether a direct upload has arrived in the store. */
  watchUpload: (build: Owned, runAt: number) => ofBuild('watch-upload', build, runAt),
  removeArtifact: (build: Owned, runAt: number) => ofBuild('remove-artifact', build, runAt),
  /** Ends the lobbies, queues and builds of a deleted project. */
  clearProject: ({ id, accountId }: Owned, runAt: number) =>
    job('clear-project', id, accountId, runAt, { projectId: id }),
  /** Deletes the row of an expired session. */
  forgetSession: ({ id, accountId }: Owned, runAt: number) =>
    job('forget-session', id, accountId, runAt, { sessionId: id }),
  /** Deletes the row of an expired key. */
  forgetKey: ({ id, accountId }: Owned, runAt: number) => job('forget-key', id, accountId, runAt, { keyId: id }),
  /** Removes a player from all stored data. */
  erasePlayer: (projectId: string, playerId: string, accountId: string, runAt: number) =>
    job('erase-player', JSON.stringify([projectId, playerId]), accountId, runAt, { projectId, playerId }),
  /** Removes the standings of a deleted rating. */
  clearRating: (projectId: string, ratingKey: string, runAt: number) =>
    job('clear-rating', ratingKey, projectId, runAt, { ratingKey }),
  /** Takes the lobbies of a banned player out of the queues. */
  endSearches: (projectId: string, playerId: string, accountId: string, runAt: number) =>
    job('end-searches', JSON.stringify([projectId, playerId]), accountId, runAt, { projectId, playerId }),
  /** Applies a pending plan at the end of the period. */
  endPeriod: (accountId: string, runAt: number) => job('end-period', accountId, accountId, runAt, { accountId }),
  /** Gives a consumer the messages about one match. Each consumer has jobs of a kind of its own, so only nodes with its handler claim them. */
  consume: ({ id, projectId, consumer }: OfConsumer & { readonly id: string }, runAt: number): JobSpec => {
    const key = consumerKey(projectId, consumer)
    return { id: consumeJobId(id), kind: consumeKindOf(key), runAt, tenant: key, payload: { backlogId: id } }
  },
  /**
   * Ends the job of a backlog that was removed with its match. This job replaces the other one: only nodes with the handler of the consumer
   * claim that one, and there may be no such node.
   */
  forgetBacklog: (backlog: OfConsumer & { readonly id: string }, runAt: number): JobSpec => ({
    ...jobs.consume(backlog, runAt),
    kind: 'forget-backlog' satisfies JobKind,
  }),
  /** Removes the backlogs of a consumer that was removed. */
  clearConsumer: ({ projectId, consumer }: OfConsumer, runAt: number) =>
    job('clear-consumer', consumerKey(projectId, consumer), projectId, runAt, { projectId, consumer }),
  /** Deletes rows that are past their retention time. The job schedules itself again. */
  prune: (runAt: number) => job('prune', 'all', NOBODY, runAt, {}),
  /** Deletes old events from the logs of lobbies. The job schedules itself again. */
  pruneEvents: (runAt: number) => job('prune-events', 'all', NOBODY, runAt, {}),
  /** Removes old logs of ended servers from the build store. The job schedules itself again. */
  pruneLogs: (runAt: number) => job('prune-logs', 'all', NOBODY, runAt, {}),
  /** Samples and rolls up the history. The job schedules itself again. */
  rollUp: (runAt: number) => job('roll-up', 'all', NOBODY, runAt, {}),
  /** Opens and closes problems of projects. The job schedules itself again. */
  watchProblems: (runAt: number) => job('watch-problems', 'all', NOBODY, runAt, {}),
  /** Looks at the budget of a project. The job schedules itself again while the project has a budget. */
  watchBudget: ({ id, accountId }: Owned, runAt: number) =>
    job('watch-budget', id, accountId, runAt, { projectId: id }),
  /**
   * Sends a message to a webhook. The tenant of the job is the webhook, so that a slow endpoint does not occupy the job slots of other
   * endpoints.
   */
  sendDelivery: ({ id, webhookId }: { readonly id: string; readonly webhookId: string }, runAt: number) =>
    job('send-delivery', id, webhookId, runAt, { deliveryId: id }),
}
