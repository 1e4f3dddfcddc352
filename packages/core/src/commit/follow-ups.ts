import type { Account } from '../account/account'
import type { Session } from '../account/session'
import type { Build } from '../build/build'
import type { BuildEvent } from '../build/events'
import type { LobbyEvent } from '../lobby/events'
import type { Lobby } from '../lobby/lobby'
import { firstLookAt } from '../lobby/silence'
import type { MatchEvent } from '../match/events'
import type { Match } from '../match/match'
import type { JobSpec } from '../ports/storage/index'
import type { ApiKey } from '../project/api-key'
import type { Project } from '../project/project'
import { changesMatchmaking, changesWatching, type QueueChange, trustsLess } from '../queue/changes'
import type { Queue } from '../queue/queue'
import type { ServerEvent } from '../server/events'
import type { GameServer } from '../server/game-server'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../shared/time'
import type { Delivery } from '../webhook/delivery'
import { jobs } from './jobs'

/** Between the end of a body and its archive being in place; past it the upload counts as left behind by its process. */
const FINISH_UPLOAD_MS = MINUTE_MS

/** How long a proposed match that was never made can be read. */
const PROPOSAL_KEPT_MS = HOUR_MS

/** How long the row of a key whose time is over is kept, to say so to whoever still calls with it. */
const KEY_KEPT_MS = HOUR_MS

/** What follows from what happened: event to jobs, the one table for every aggregate. `at` is the decision's instant. */
export const followUps = {
  lobby(lobby: Lobby, event: LobbyEvent, at: number): JobSpec[] {
    switch (event.type) {
      case 'settings_changed':
        // Another queue has other timeouts.
        return event.changes.queueId === undefined ? [] : [jobs.watchLobby(lobby, at)]
      case 'queue_entered':
      case 'queue_rejoined':
        return [jobs.expireTicket(lobby, event.ticketId, event.expiresAt)]
      case 'game_ended':
      case 'launch_failed':
        return [jobs.watchLobby(lobby, at)]
      default:
        return []
    }
  },

  /** It was made in this queue. */
  lobbyMade: (lobby: Lobby, queue: Queue, at: number): JobSpec[] => [jobs.watchLobby(lobby, firstLookAt(queue, at))],

  /** Its queue's timeouts have changed. */
  lobbyRewatched: (lobby: Lobby, at: number): JobSpec[] => [jobs.watchLobby(lobby, at)],

  match(match: Match, event: MatchEvent, at: number): JobSpec[] {
    switch (event.type) {
      case 'match_proposed':
        return match.proposal === undefined ? [] : [jobs.expireProposal(match, match.proposal.expiresAt)]
      case 'match_answered':
        return event.spreadAt === null ? [] : [jobs.spreadProposal(match, event.spreadAt)]
      case 'proposal_ended':
        return [jobs.forgetProposal(match, at + PROPOSAL_KEPT_MS)]
      case 'match_started':
        return match.ttlSeconds === undefined ? [] : [jobs.expireMatch(match, event.at + match.ttlSeconds * SECOND_MS)]
      case 'match_filled':
        return [jobs.enterMatch(match, at)]
      case 'backfill_requested':
        return [jobs.expireBackfill(match, event.request.expiresAt)]
      case 'match_found':
      case 'match_accepted':
        // The studio's backend has so long to tell where it is played.
        if (match.external !== undefined) return [jobs.expireAssignment(match, match.external.assignBy)]
        // With a server it begins when that runs.
        return match.serverId === null ? [jobs.beginMatch(match, at)] : []
      default:
        return []
    }
  },

  serverCreated: (server: GameServer, at: number): JobSpec[] => [jobs.launchServer(server, at)],

  /** Its attempt was abandoned: whoever was about to spawn it died, or what it spawned has ended. */
  launchAgain: (server: GameServer, at: number): JobSpec[] => [jobs.launchServer(server, at)],

  server(server: GameServer, event: ServerEvent, at: number): JobSpec[] {
    switch (event.type) {
      case 'server_running':
        return server.expiresAt === null ? [] : [jobs.expireServer(server, server.expiresAt)]
      case 'server_ttl_capped':
        return [jobs.expireServer(server, event.expiresAt)]
      case 'server_crashed':
      case 'server_restarting':
        return [jobs.relaunchServer(server, event.relaunchAt)]
      case 'server_stopping':
        return [jobs.stopServer(server, at)]
      case 'server_stopped':
      case 'server_failed':
        return [jobs.releaseServer(server, at)]
      default:
        return []
    }
  },

  /** One that waits for its archive has until its URL expires, and is looked for where it goes past the service; one of an image is looked at now. */
  buildCreated(build: Build, at: number): JobSpec[] {
    if (build.uploadExpiresAt === null) return [jobs.processBuild(build, at)]
    return [build.isDirect ? jobs.watchUpload(build, at + SECOND_MS) : jobs.expireUpload(build, build.uploadExpiresAt)]
  },

  build(build: Build, event: BuildEvent, at: number): JobSpec[] {
    switch (event.type) {
      case 'upload_claimed':
        // Whoever watches a direct upload has it in hand, and goes on where another one ended.
        return build.isDirect ? [] : [jobs.expireUpload(build, at + FINISH_UPLOAD_MS)]
      case 'upload_released':
        return [jobs.expireUpload(build, event.expiresAt)]
      case 'upload_completed':
        return [jobs.processBuild(build, at)]
      case 'upload_expired':
      case 'upload_refused':
      case 'processing_failed':
      case 'build_deleted':
        return build.type === 'zip' ? [jobs.removeArtifact(build, at)] : []
      default:
        return []
    }
  },

  queueChanged: (change: QueueChange, at: number): JobSpec[] => [
    ...(changesMatchmaking(change) ? [jobs.requeueTickets(change.after, at)] : []),
    ...(trustsLess(change) ? [jobs.dropUnproven(change.after, at)] : []),
    ...(changesWatching(change) ? [jobs.rewatchQueue(change.after, at)] : []),
  ],

  /** A pending plan takes its place at its time. What an operator's plan means for servers is looked at by the service, whose limits they are. */
  account(account: Account, events: readonly { readonly type: string }[], at: number): JobSpec[] {
    if (events.some(({ type }) => type === 'plan_set')) return [jobs.endPeriod(account.id, at)]
    return account.pendingPlanAt === null ? [] : [jobs.endPeriod(account.id, account.pendingPlanAt)]
  },

  sessionOpened: (session: Session): JobSpec[] => [jobs.forgetSession(session, session.expiresAt)],

  keyMinted: (key: ApiKey): JobSpec[] =>
    key.expiresAt === undefined ? [] : [jobs.forgetKey(key, key.expiresAt + KEY_KEPT_MS)],

  playerErased: (project: Project, playerId: string, at: number): JobSpec[] => [
    jobs.erasePlayer(project.id, playerId, project.accountId, at),
  ],

  deliveryCreated: (delivery: Delivery): JobSpec[] => [jobs.sendDelivery(delivery, delivery.createdAt)],

  projectDeleted: (project: Project, at: number): JobSpec[] => [jobs.clearProject(project, at)],
}
