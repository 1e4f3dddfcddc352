import type { JobSpec } from '../ports/storage/index'
import type { JsonObject } from '../shared/json'

/** Every kind of job: what its handler re-reads and re-decides. A stale job does nothing. */
export const JOB_KINDS = [
  'watch-lobby',
  'expire-ticket',
  'release-invite-code',
  'rewatch-queue',
  'requeue-tickets',
  'begin-match',
  'launch-server',
  'relaunch-server',
  'stop-server',
  'release-server',
  'expire-server',
  'process-build',
  'expire-upload',
  'remove-artifact',
  'clear-project',
  'end-period',
  'forget-session',
  'prune',
  'prune-events',
] as const
export type JobKind = (typeof JOB_KINDS)[number]

const job = (kind: JobKind, target: string, runAt: number, payload: JsonObject): JobSpec => ({
  id: `${kind}:${target}`,
  kind,
  runAt,
  payload,
})

/** The makers of jobs; the id is the kind and its target, so each thing has one job of a kind at the most. */
export const jobs = {
  /** Drops silent players and deletes an idle lobby. */
  watchLobby: (lobbyId: string, runAt: number) => job('watch-lobby', lobbyId, runAt, { lobbyId }),
  /** Ends a ticket's stay at its timeout. */
  expireTicket: (lobbyId: string, ticketId: string, runAt: number) =>
    job('expire-ticket', lobbyId, runAt, { lobbyId, ticketId }),
  releaseInviteCode: (holdId: string, runAt: number) => job('release-invite-code', holdId, runAt, { holdId }),
  /** After a queue's timeouts changed: look at each of its lobbies again. */
  rewatchQueue: (projectId: string, queueId: string, runAt: number) =>
    job('rewatch-queue', `${projectId}/${queueId}`, runAt, { projectId, queueId }),
  /** After a queue's matchmaking changed: tickets that can no longer match return to waiting. */
  requeueTickets: (projectId: string, queueId: string, runAt: number) =>
    job('requeue-tickets', `${projectId}/${queueId}`, runAt, { projectId, queueId }),
  /** A match without a server goes on to in_game. */
  beginMatch: (matchId: string, runAt: number) => job('begin-match', matchId, runAt, { matchId }),
  launchServer: (instanceId: string, runAt: number) => job('launch-server', instanceId, runAt, { instanceId }),
  relaunchServer: (instanceId: string, runAt: number) => job('relaunch-server', instanceId, runAt, { instanceId }),
  stopServer: (instanceId: string, runAt: number) => job('stop-server', instanceId, runAt, { instanceId }),
  /** Lets the orchestrator forget an ended server. */
  releaseServer: (instanceId: string, runAt: number) => job('release-server', instanceId, runAt, { instanceId }),
  expireServer: (instanceId: string, runAt: number) => job('expire-server', instanceId, runAt, { instanceId }),
  processBuild: (buildId: string, runAt: number) => job('process-build', buildId, runAt, { buildId }),
  expireUpload: (buildId: string, runAt: number) => job('expire-upload', buildId, runAt, { buildId }),
  removeArtifact: (buildId: string, runAt: number) => job('remove-artifact', buildId, runAt, { buildId }),
  /** Ends the lobbies, queues and builds of a deleted project. */
  clearProject: (projectId: string, runAt: number) => job('clear-project', projectId, runAt, { projectId }),
  /** Drops the row of a session that has run out. */
  forgetSession: (sessionId: string, runAt: number) => job('forget-session', sessionId, runAt, { sessionId }),
  /** Applies a pending plan at the end of the period. */
  endPeriod: (accountId: string, runAt: number) => job('end-period', accountId, runAt, { accountId }),
  /** Forgets what nobody may ask for any more; puts itself again. */
  prune: (runAt: number) => job('prune', 'all', runAt, {}),
  /** Cuts logs to what they keep; puts itself again. */
  pruneEvents: (runAt: number) => job('prune-events', 'all', runAt, {}),
}
