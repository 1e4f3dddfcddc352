import { accept, type Decision, reject } from '../errors/decision'
import { type Instant, SECOND_MS } from '../shared/time'
import type { Queue } from './queue'

/**
 * Block of a player who declined a match or did not answer: the player cannot enter the queue before `until`. The row does not contain the
 * player's id; the id of the row is a hash that includes it.
 */
export interface Cooldown {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly queueId: string
  readonly until: Instant
}

/** Returns the text whose hash is the id of a player's cooldown. */
export const cooldownText = ({ projectId, queueId }: Pick<Queue, 'projectId' | 'queueId'>, playerId: string): string =>
  JSON.stringify(['cooldown', projectId, queueId, playerId])

export interface Cooling {
  readonly playerId: string
  readonly until: Instant
}

/** Rejects with PLAYER_COOLING_DOWN while a player of the party may not enter the queue. */
export function cooledDown(queue: Queue, cooling: readonly Cooling[], at: Instant): Decision<never> {
  const kept = cooling.filter(({ until }) => until > at)
  if (kept.length === 0) return accept()
  const seconds = Math.ceil((Math.max(...kept.map(({ until }) => until)) - at) / SECOND_MS)
  const players = kept.map(({ playerId }) => playerId)
  const who = players.map((playerId) => JSON.stringify(playerId)).join(', ')
  const detail = `${who} declined a match of queue ${queue.queueId}, or did not answer in time; try again in ${seconds} s`
  const { ok, rejected } = reject('PLAYER_COOLING_DOWN', detail, { players })
  return { ok, rejected: { ...rejected, retryAfterSeconds: seconds } }
}

/** Returns the end of a player's cooldown after another declined or unanswered match. The result is never earlier than the present end. */
export const prolonged = (before: Cooldown | undefined, until: Instant): Instant => Math.max(before?.until ?? 0, until)
