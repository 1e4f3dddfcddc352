import { accept, type Decision, reject } from '../errors/decision'
import { type Instant, SECOND_MS } from '../shared/time'
import type { Queue } from './queue'

/** A player who turned a match down cannot enter its queue until then. It does not say who: its id is a hash of that. */
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

/** Whether nobody of a party is still kept out of the queue. Rejects PLAYER_COOLING_DOWN. */
export function cooledDown(queue: Queue, cooling: readonly Cooling[], at: Instant): Decision<never> {
  const kept = cooling.filter(({ until }) => until > at)
  if (kept.length === 0) return accept()
  const seconds = Math.ceil((Math.max(...kept.map(({ until }) => until)) - at) / SECOND_MS)
  const players = kept.map(({ playerId }) => playerId)
  const who = players.map((playerId) => JSON.stringify(playerId)).join(', ')
  const detail = `${who} turned a match of queue ${queue.queueId} down, or did not answer; try again in ${seconds} s`
  const { ok, rejected } = reject('PLAYER_COOLING_DOWN', detail, { players })
  return { ok, rejected: { ...rejected, retryAfterSeconds: seconds } }
}

/** The cooldown of a player after another offence: never a shorter one than there was. */
export const prolonged = (before: Cooldown | undefined, until: Instant): Instant => Math.max(before?.until ?? 0, until)
