import type { RecentPlayer } from '@matchyard/matchmaking'
import type { PlanInterval } from '../../account/account'
import { addedUp, type UsageSum, usageSumsOf } from '../../billing/usage-sums'
import { arrivalsId, queueOfArrivals } from '../../lobby/arrival'
import type { CarriedByStay } from '../../lobby/carried'
import type { GameServer } from '../../server/game-server'
import type { Instant } from '../../shared/time'
import type { MessageSubject } from '../../webhook/message'
import type { Entities, EntityKind } from './entities'

/**
 * Correction of a clock that ran ahead: `from` is the newest instant that the clock wrote to the storage, `to` the correct time of the
 * correction.
 */
export interface ClockCorrection {
  readonly from: Instant
  readonly to: Instant
}

/**
 * Corrects an instant that was written by a clock running ahead. An instant up to `from` becomes `to` at the latest. A later instant is
 * moved back by `from` - `to`, so it is as far after `to` as it was after `from`. The order of instants is kept, so a deadline and its job
 * stay together.
 */
export function correctedInstant({ from, to }: ClockCorrection, at: Instant): Instant {
  if (at <= to) return at
  return at <= from ? to : at - (from - to)
}

type Correct = <T extends Instant | null>(at: T) => T

type Corrected = { readonly [K in EntityKind]: (entity: Entities[K], correct: Correct) => Partial<Entities[K]> }

const created = (entity: { createdAt: Instant }, correct: Correct) => ({ createdAt: correct(entity.createdAt) })
const kept = (entity: { createdAt: Instant; updatedAt: Instant }, correct: Correct) => ({
  createdAt: correct(entity.createdAt),
  updatedAt: correct(entity.updatedAt),
})

const corrected = (met: readonly RecentPlayer[], correct: Correct) =>
  met.map((player) => ({ ...player, at: correct(player.at) }))

const correctedMeetings = ({ recent }: CarriedByStay, correct: Correct): CarriedByStay =>
  recent === undefined ? {} : { recent: corrected(recent, correct) }

/** Functions that correct the instants of each kind of entity. Free-form objects of callers are not changed. */
const CORRECTED: Corrected = {
  account: (account, correct) => ({
    ...kept(account, correct),
    planHistory: account.planHistory.map((interval) => ({ ...interval, from: correct(interval.from) })),
    pendingPlanAt: correct(account.pendingPlanAt),
    ...(account.signInCode
      ? { signInCode: { ...account.signInCode, expiresAt: correct(account.signInCode.expiresAt) } }
      : {}),
    ...(account.secondFactor
      ? {
          secondFactor: {
            ...account.secondFactor,
            activatedAt: correct(account.secondFactor.activatedAt),
            usedStepAt: correct(account.secondFactor.usedStepAt),
          },
        }
      : {}),
    ...(account.pendingFactor
      ? { pendingFactor: { ...account.pendingFactor, expiresAt: correct(account.pendingFactor.expiresAt) } }
      : {}),
    ...(account.wrongCodes
      ? {
          wrongCodes: {
            ...account.wrongCodes,
            since: correct(account.wrongCodes.since),
            lastAt: correct(account.wrongCodes.lastAt),
          },
        }
      : {}),
    ...(account.disabledAt === undefined ? {} : { disabledAt: correct(account.disabledAt) }),
    ...(account.sessionsEndedAt === undefined ? {} : { sessionsEndedAt: correct(account.sessionsEndedAt) }),
  }),
  session: (session, correct) => ({ ...created(session, correct), expiresAt: correct(session.expiresAt) }),
  project: (project, correct) => ({
    ...kept(project, correct),
    deletedAt: correct(project.deletedAt),
    ...(project.secrets === undefined
      ? {}
      : { secrets: project.secrets.map((secret) => ({ ...secret, ...kept(secret, correct) })) }),
  }),
  'api-key': (key, correct) => ({
    ...created(key, correct),
    revokedAt: correct(key.revokedAt),
    ...(key.expiresAt === undefined ? {} : { expiresAt: correct(key.expiresAt) }),
  }),
  member: (member, correct) => ({
    ...kept(member, correct),
    keys: member.keys.map((key) => (key.expiresAt === undefined ? key : { ...key, expiresAt: correct(key.expiresAt) })),
  }),
  invitation: (invitation, correct) => ({
    ...created(invitation, correct),
    expiresAt: correct(invitation.expiresAt),
  }),
  problem: (problem, correct) => ({
    openedAt: correct(problem.openedAt),
    seenAt: correct(problem.seenAt),
    closedAt: correct(problem.closedAt),
    ...(problem.acknowledged && {
      acknowledged: { ...problem.acknowledged, at: correct(problem.acknowledged.at) },
    }),
    ...(problem.muted && { muted: { ...problem.muted, until: correct(problem.muted.until) } }),
  }),
  build: (build, correct) => ({
    ...kept(build, correct),
    uploadExpiresAt: correct(build.uploadExpiresAt),
    ...(build.drainingSince === undefined ? {} : { drainingSince: correct(build.drainingSince) }),
    ...(build.serversStoppedAt === undefined ? {} : { serversStoppedAt: correct(build.serversStoppedAt) }),
    ...(build.drainedAt === undefined ? {} : { drainedAt: correct(build.drainedAt) }),
    logs: build.logs.map((line) => ({ ...line, at: correct(line.at) })),
  }),
  'build-name': () => ({}),
  secret: () => ({}),
  installation: () => ({}),
  queue: (queue, correct) => ({
    ...kept(queue, correct),
    ...(queue.watchedSince === undefined ? {} : { watchedSince: correct(queue.watchedSince) }),
  }),
  lobby: (lobby, correct) => ({
    ...kept(lobby, correct),
    ...(lobby.movedAt === undefined ? {} : { movedAt: correct(lobby.movedAt) }),
    players: lobby.players.map((player) => ({ ...player, joinedAt: correct(player.joinedAt) })),
    ticket: lobby.ticket && {
      ...lobby.ticket,
      enteredAt: correct(lobby.ticket.enteredAt),
      ...(lobby.ticket.expiresAt === undefined ? {} : { expiresAt: correct(lobby.ticket.expiresAt) }),
      ...correctedMeetings(lobby.ticket, correct),
    },
    ...(lobby.keptStay === undefined
      ? {}
      : {
          keptStay: {
            ...lobby.keptStay,
            enteredAt: correct(lobby.keptStay.enteredAt),
            expiresAt: correct(lobby.keptStay.expiresAt),
          },
        }),
    ...(lobby.proposal === undefined
      ? {}
      : {
          proposal: {
            ...lobby.proposal,
            expiresAt: correct(lobby.proposal.expiresAt),
            enteredAt: correct(lobby.proposal.enteredAt),
            ticketExpiresAt: correct(lobby.proposal.ticketExpiresAt),
            ...correctedMeetings(lobby.proposal, correct),
          },
        }),
    ...(lobby.lastExit == null ? {} : { lastExit: { ...lobby.lastExit, at: correct(lobby.lastExit.at) } }),
  }),
  'queue-version': (version, correct) => ({ at: correct(version.at) }),
  arrivals: (batch, correct) => ({
    id: arrivalsId(queueOfArrivals(batch.id), correct(batch.leftAt), batch.id.slice(batch.id.lastIndexOf('/') + 1)),
    leftAt: correct(batch.leftAt),
    arrivals: batch.arrivals.map((arrival) => ({ ...arrival, enteredAt: correct(arrival.enteredAt) })),
  }),
  ticket: (ticket, correct) => ({
    enteredAt: correct(ticket.enteredAt),
    players: ticket.players.map(({ recent, ...player }) => ({
      ...player,
      ...(recent === undefined ? {} : { recent: corrected(recent, correct) }),
    })),
  }),
  backlog: ({ messages }, correct) => ({ messages: messages.map((one) => ({ ...one, at: correct(one.at) })) }),
  audit: created,
  'invite-hold': (hold, correct) => ({ until: correct(hold.until) }),
  cooldown: (cooldown, correct) => ({ until: correct(cooldown.until) }),
  // The end of a ban is a date that a backend chose, not an instant that the wrong clock wrote.
  ban: kept,
  rating: (rating, correct) => ({
    ...kept(rating, correct),
    seasons: rating.seasons.map((season) => ({ ...season, startedAt: correct(season.startedAt) })),
  }),
  standing: (standing, correct) => ({ updatedAt: correct(standing.updatedAt) }),
  match: (match, correct) => ({
    ...created(match, correct),
    ...(match.external === undefined
      ? {}
      : { external: { ...match.external, assignBy: correct(match.external.assignBy) } }),
    ...(match.startedAt === undefined ? {} : { startedAt: correct(match.startedAt) }),
    endedAt: correct(match.endedAt),
    ...(match.proposal === undefined
      ? {}
      : {
          proposal: {
            ...match.proposal,
            expiresAt: correct(match.proposal.expiresAt),
            spreadAt: correct(match.proposal.spreadAt),
          },
        }),
    ...(match.closedAt === undefined ? {} : { closedAt: correct(match.closedAt) }),
    ...(match.result === undefined
      ? {}
      : {
          result: {
            ...match.result,
            recordedAt: correct(match.result.recordedAt),
            amendedAt: correct(match.result.amendedAt),
          },
        }),
    ...(match.backfill === undefined
      ? {}
      : {
          backfill: {
            ...match.backfill,
            requestedAt: correct(match.backfill.requestedAt),
            expiresAt: correct(match.backfill.expiresAt),
          },
        }),
    ...(match.keptSeats === undefined
      ? {}
      : { keptSeats: match.keptSeats.map((seat) => ({ ...seat, expiresAt: correct(seat.expiresAt) })) }),
    teams: match.teams.map((team) => ({
      ...team,
      players: team.players.map((player) => ({
        ...player,
        ...(player.joinedAt === undefined ? {} : { joinedAt: correct(player.joinedAt) }),
        leftAt: correct(player.leftAt),
      })),
    })),
  }),
  server: (server, correct) => ({
    ...kept(server, correct),
    launchDeadlineAt: correct(server.launchDeadlineAt),
    ...(server.room === undefined
      ? {}
      : {
          room: {
            ...server.room,
            deadlineAt: correct(server.room.deadlineAt),
            admittedAt: correct(server.room.admittedAt),
            passedSince: correct(server.room.passedSince),
          },
        }),
    ...(server.lastCrash === undefined
      ? {}
      : {
          lastCrash: {
            ...server.lastCrash,
            at: correct(server.lastCrash.at),
            lines: server.lastCrash.lines.map((line) => ({ ...line, at: correct(line.at) })),
          },
        }),
    relaunchAt: correct(server.relaunchAt),
    launchedAt: correct(server.launchedAt),
    runningAt: correct(server.runningAt),
    stoppedAt: correct(server.stoppedAt),
    expiresAt: correct(server.expiresAt),
  }),
  machine: (machine, correct) => ({
    ...kept(machine, correct),
    drainBy: correct(machine.drainBy),
    rest: machine.rest && { ...machine.rest, until: correct(machine.rest.until) },
    ...(machine.lostAt === undefined ? {} : { lostAt: correct(machine.lostAt) }),
  }),
  idempotency: (record, correct) => ({ ...created(record, correct), expiresAt: correct(record.expiresAt) }),
  webhook: (webhook, correct) => ({
    ...kept(webhook, correct),
    failingSince: correct(webhook.failingSince),
    secrets: webhook.secrets.map((secret) => ({ ...secret, until: correct(secret.until) })),
  }),
  message: (message, correct) => ({
    ...created(message, correct),
    subject: correctedSubject(message.subject, correct),
  }),
  delivery: (delivery, correct) => ({
    ...created(delivery, correct),
    nextAttemptAt: correct(delivery.nextAttemptAt),
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: correct(attempt.at) })),
  }),
}

function correctedSubject(subject: MessageSubject, correct: Correct): MessageSubject {
  switch (subject.kind) {
    case 'match':
      return { ...subject, match: { ...subject.match, ...CORRECTED.match(subject.match, correct) } }
    case 'lobby':
      return { ...subject, lobby: { ...subject.lobby, ...CORRECTED.lobby(subject.lobby, correct) } }
    case 'server':
      return { ...subject, server: { ...subject.server, ...CORRECTED.server(subject.server, correct) } }
    case 'build':
      return { ...subject, build: { ...subject.build, ...CORRECTED.build(subject.build, correct) } }
    case 'player':
      return { ...subject, ban: { ...subject.ban, ...CORRECTED.ban(subject.ban, correct) } }
    case 'problem':
      return { ...subject, problem: { ...subject.problem, ...CORRECTED.problem(subject.problem, correct) } }
    case 'webhook':
      return subject
  }
}

/**
 * Returns the entity with its instants corrected. The version stays, and the id changes when it contains an instant. Call this only for a
 * store on which no service runs.
 */
export function correctedEntity<K extends EntityKind>(
  correction: ClockCorrection,
  kind: K,
  entity: Entities[K],
): Entities[K] {
  const correct: Correct = (at) => (at === null ? at : correctedInstant(correction, at)) as typeof at
  return { ...entity, ...CORRECTED[kind](entity, correct) }
}

/**
 * Returns the corrections of an ended server to the usage sums that begin before a clock correction. They remove the seconds that the wrong
 * clock counted too much. The caller removes sums that begin at the correction or later, because they come from the wrong clock. `server`
 * and `history` have their values from before the correction. `isSummed` says whether the sums already contain the server's seconds; if
 * not, the correct seconds are added.
 */
export function usageCorrection(
  correction: ClockCorrection,
  server: GameServer,
  history: readonly PlanInterval[],
  isSummed: boolean,
): UsageSum[] {
  const { runningAt, stoppedAt } = server
  if (runningAt === null || stoppedAt === null || (isSummed && stoppedAt <= correction.to)) return []
  const sums = (from: Instant, to: Instant) =>
    usageSumsOf(server, { from, to }, history).filter(({ beginsAt }) => beginsAt < correction.to)
  const wrong = (isSummed ? sums(runningAt, stoppedAt) : []).map((sum) => ({ ...sum, seconds: -sum.seconds }))
  const right = sums(correctedInstant(correction, runningAt), correctedInstant(correction, stoppedAt))
  return addedUp([...wrong, ...right]).filter(({ seconds }) => seconds !== 0)
}
