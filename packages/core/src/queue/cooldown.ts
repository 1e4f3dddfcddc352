import { accept, type Decision, reject } from '../errors/decision'
import { type Instant, SECOND_MS } from '../shared/time'
import { leaverPenaltyOf, type Queue } from './queue'

/**
 * Block of a player who declined a match, did not answer or left a running match: the player cannot enter the queue before `until`. The row does not contain the
 * player's id; the id of the row is a hash that includes it.
 */
export interface Cooldown {
  /** Id of the row: a hash that includes the player's id. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the queue. */
  readonly projectId: string
  /** Queue that the player may not enter. */
  readonly queueId: string
  /** Time from which the player may enter the queue again. */
  readonly until: Instant
}

/** Returns the text whose hash is the id of a player's cooldown. */
export const cooldownText = ({ projectId, queueId }: Pick<Queue, 'projectId' | 'queueId'>, playerId: string): string =>
  JSON.stringify(['cooldown', projectId, queueId, playerId])

export interface Cooling {
  readonly playerId: string
  readonly until: Instant
}

/** Whether the queue has penalties at present: for a proposed match without an answer, or for leaving a running match. */
export const usesCooldowns = (queue: Queue): boolean =>
  queue.matchmaking?.readyCheck !== undefined || leaverPenaltyOf(queue) > 0

/** Rejects with PLAYER_COOLING_DOWN while a player of the party may not enter the queue. */
export function cooledDown(queue: Queue, cooling: readonly Cooling[], at: Instant): Decision<never> {
  const kept = cooling.filter(({ until }) => until > at)
  if (kept.length === 0) return accept()
  const seconds = Math.ceil((Math.max(...kept.map(({ until }) => until)) - at) / SECOND_MS)
  const players = kept.map(({ playerId }) => playerId)
  const who = players.map((playerId) => JSON.stringify(playerId)).join(', ')
  const detail = `${who} declined a match of queue ${queue.queueId}, did not answer in time, or left a running match; try again in ${seconds} s`
  const { ok, rejected } = reject('PLAYER_COOLING_DOWN', detail, { players })
  return { ok, rejected: { ...rejected, retryAfterSeconds: seconds } }
}

/** Returns the end of a player's cooldown after another reason for a penalty. The result is never earlier than the present end. */
export const prolonged = (before: Cooldown | undefined, until: Instant): Instant => Math.max(before?.until ?? 0, until)
