import type { Account } from '../account/account'
import type { Session } from '../account/session'
import type { Build } from '../build/build'
import type { BuildEvent } from '../build/events'
import type { Backlog } from '../consumer/backlog'
import type { LobbyEvent } from '../lobby/events'
import type { Lobby } from '../lobby/lobby'
import { firstLookAt } from '../lobby/silence'
import type { MachineEvent } from '../machine/events'
import type { MachineRecord } from '../machine/record'
import type { MatchEvent } from '../match/events'
import { nextExpiryOf } from '../match/kept-seats'
import type { Match } from '../match/match'
import type { JobSpec } from '../ports/storage/index'
import type { ApiKey } from '../project/api-key'
import type { Project } from '../project/project'
import { addsFieldRights, changesMatchmaking, changesWatching, type QueueChange } from '../queue/changes'
import type { Queue } from '../queue/queue'
import type { Rating } from '../rating/rating'
import type { ServerEvent } from '../server/events'
import type { GameServer } from '../server/game-server'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../shared/time'
import type { Delivery } from '../webhook/delivery'
import { jobs } from './jobs'

/**
 * Maximum milliseconds between the last byte of an upload's body and the time at which its archive is stored. After that, the process that
 * received the upload counts as dead.
 */
const FINISH_UPLOAD_MS = MINUTE_MS

/** Milliseconds for which a proposed match that was not made can still be read. */
const PROPOSAL_KEPT_MS = HOUR_MS

/** Milliseconds for which the row of an expired API key is kept, so that a late call gets the error that its key has expired. */
const KEY_KEPT_MS = HOUR_MS

/** Jobs that follow each type of event. A type without an entry has no jobs. */
type JobsAfter<Thing, Event extends { readonly type: string }> = {
  readonly [Type in Event['type']]?: (
    thing: Thing,
    event: Extract<Event, { readonly type: Type }>,
    at: number,
  ) => JobSpec[]
}

/** Returns a function that looks up the jobs of an event in a table such as `JobsAfter`. */
const byEvent =
  <Thing, Event extends { readonly type: string }>(table: JobsAfter<Thing, Event>) =>
  (thing: Thing, event: Event, at: number): JobSpec[] =>
    table[event.type as Event['type']]?.(thing, event as never, at) ?? []

const watchAgain = (lobby: Lobby, _: LobbyEvent, at: number) => [jobs.watchLobby(lobby, at)]
const expireTicket = (lobby: Lobby, event: { readonly ticketId: string; readonly expiresAt: number }) => [
  jobs.expireTicket(lobby, event.ticketId, event.expiresAt),
]

function matchMade(match: Match, _: MatchEvent, at: number): JobSpec[] {
  // The studio's backend must assign a server before a deadline; this job ends the match at the deadline.
  if (match.external !== undefined) {
    return [jobs.expireAssignment(match, match.external.assignBy), ...endOtherSearches(match, at)]
  }
  // A match with a server begins later, when its server runs. The job that begins a match without a server also ends the other searches of
  // its players.
  return match.serverId === null ? [jobs.beginMatch(match, at)] : endOtherSearches(match, at)
}

const endOtherSearches = (match: Match, at: number): JobSpec[] =>
  match.holdsPlayers === true ? [jobs.endOtherSearches(match, at)] : []

const relaunch = (server: GameServer, event: { readonly relaunchAt: number }) => [
  jobs.relaunchServer(server, event.relaunchAt),
]
const release = (server: GameServer, _: ServerEvent, at: number) => [
  jobs.releaseServer(server, at),
  ...(server.nodeId === null ? [] : [jobs.keepLog(server, at)]),
]
const removeArtifact = (build: Build, _: BuildEvent, at: number) =>
  build.type === 'zip' ? [jobs.removeArtifact(build, at)] : []

/** Jobs that follow each event of every aggregate, in one table. `at` is the instant of the decision. */
export const followUps = {
  lobby: byEvent<Lobby, LobbyEvent>({
    // The other queue has other timeouts, so the lobby is checked again.
    settings_changed: (lobby, event, at) => (event.changes.queueId === undefined ? [] : [jobs.watchLobby(lobby, at)]),
    queue_entered: expireTicket,
    queue_rejoined: expireTicket,
    game_ended: watchAgain,
    launch_failed: (lobby, event, at) => [
      jobs.watchLobby(lobby, at),
      ...(event.requeue ? [jobs.requeueLobby(lobby, at)] : []),
    ],
  }),

  /** Returns the jobs that follow the creation of a lobby in a queue. */
  lobbyMade: (lobby: Lobby, queue: Queue, at: number): JobSpec[] => [jobs.watchLobby(lobby, firstLookAt(queue, at))],

  /** Returns the jobs that follow a change of the timeouts in the settings of a lobby's queue. */
  lobbyRewatched: (lobby: Lobby, at: number): JobSpec[] => [jobs.watchLobby(lobby, at)],

  match: byEvent<Match, MatchEvent>({
    match_proposed: (match) =>
      match.proposal === undefined ? [] : [jobs.expireProposal(match, match.proposal.expiresAt)],
    match_answered: (match, event) => (event.spreadAt === null ? [] : [jobs.spreadProposal(match, event.spreadAt)]),
    proposal_ended: (match, _, at) => [jobs.forgetProposal(match, at + PROPOSAL_KEPT_MS)],
    match_started: (match, event) =>
      match.ttlSeconds === undefined ? [] : [jobs.expireMatch(match, event.at + match.ttlSeconds * SECOND_MS)],
    match_filled: (match, _, at) => [jobs.enterMatch(match, at)],
    seat_taken: (match, _, at) => [jobs.enterMatch(match, at)],
    seat_kept: (match, event) => [jobs.expireSeats(match, nextExpiryOf(match) ?? event.seat.expiresAt)],
    backfill_requested: (match, event) => [jobs.expireBackfill(match, event.request.expiresAt)],
    match_found: matchMade,
    match_accepted: matchMade,
  }),

  serverCreated: (server: GameServer, at: number): JobSpec[] => [jobs.launchServer(server, at)],

  /** Returns the jobs that follow when an attempt is given up: its worker died before the spawn, or the spawned process ended. */
  launchAgain: (server: GameServer, at: number): JobSpec[] => [jobs.launchServer(server, at)],

  server: byEvent<GameServer, ServerEvent>({
    server_running: (server) => (server.expiresAt === null ? [] : [jobs.expireServer(server, server.expiresAt)]),
    server_ttl_capped: (server, event) => [jobs.expireServer(server, event.expiresAt)],
    server_crashed: relaunch,
    server_restarting: relaunch,
    server_stopping: (server, _, at) => [jobs.stopServer(server, at)],
    server_stopped: release,
    server_failed: release,
  }),

  machine: byEvent<MachineRecord, MachineEvent>({
    machine_drain_begun: (machine, { drainBy }) => (drainBy === null ? [] : [jobs.endDrain(machine, drainBy)]),
  }),

  /**
   * Returns the jobs that follow the creation of a build. The build of an image is processed at once. Other builds wait for an archive
   * until their upload URL expires. Direct uploads do not pass through the service, so a job looks for the archive in the store after a
   * short time.
   */
  buildCreated(build: Build, at: number): JobSpec[] {
    if (build.uploadExpiresAt === null) return [jobs.processBuild(build, at)]
    return [build.isDirect ? jobs.watchUpload(build, at + SECOND_MS) : jobs.expireUpload(build, build.uploadExpiresAt)]
  },

  build: byEvent<Build, BuildEvent>({
    // The job that looks for a direct upload also claims it. After a crash, that job runs again.
    upload_claimed: (build, _, at) => (build.isDirect ? [] : [jobs.expireUpload(build, at + FINISH_UPLOAD_MS)]),
    upload_released: (build, event) => [jobs.expireUpload(build, event.expiresAt)],
    upload_completed: (build, _, at) => [jobs.processBuild(build, at)],
    upload_expired: removeArtifact,
    upload_refused: removeArtifact,
    processing_failed: removeArtifact,
    build_deleted: removeArtifact,
    build_drain_begun: (build, _, at) => [jobs.drainBuild(build, at)],
    build_servers_stopped: (build, _, at) => [jobs.stopBuild(build, at)],
  }),

  /** Returns the job that waits for the last server of a drained build, after its first look at them. */
  buildEmptied: (build: Build, at: number): JobSpec[] => [jobs.watchDrain(build, at)],

  queueChanged: (change: QueueChange, at: number): JobSpec[] => [
    ...(changesMatchmaking(change) ? [jobs.requeueTickets(change.after, at)] : []),
    ...(addsFieldRights(change) ? [jobs.settleStates(change.after, at)] : []),
    ...(changesWatching(change) ? [jobs.rewatchQueue(change.after, at)] : []),
  ],

  /**
   * Returns the job that applies an account's pending plan at its time. After an operator set the plan, the job runs at once and limits the
   * lifetime of servers that were launched before.
   */
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

  playerBanned: (project: Project, playerId: string, at: number): JobSpec[] => [
    jobs.endSearches(project.id, playerId, project.accountId, at),
  ],

  ratingDeleted: (rating: Rating, at: number): JobSpec[] => [jobs.clearRating(rating.projectId, rating.key, at)],

  deliveryCreated: (delivery: Delivery): JobSpec[] => [jobs.sendDelivery(delivery, delivery.createdAt)],

  backlogMade: (backlog: Backlog, at: number): JobSpec[] => [jobs.consume(backlog, at)],

  backlogPruned: (backlog: Backlog, at: number): JobSpec[] => [jobs.forgetBacklog(backlog, at)],

  consumerRemoved: (projectId: string, consumer: string, at: number): JobSpec[] => [
    jobs.clearConsumer({ projectId, consumer }, at),
  ],

  budgetSet: (project: Project, at: number): JobSpec[] => [jobs.watchBudget(project, at)],

  projectDeleted: (project: Project, at: number): JobSpec[] => [jobs.clearProject(project, at)],
}
