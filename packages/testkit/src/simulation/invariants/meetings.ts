import type { JsonObject, Match, MatchPlayer, Queue } from '@matchyard/core'
import { ERASED, proposalOf } from '@matchyard/core/domain'
import type { Invariant } from './invariant'
import type { Snapshot } from './snapshot'

interface Seated extends MatchPlayer {
  readonly team: string
}

/** Returns the rules of a queue; none where a player may search beside a match, because a search does not know matches that begin later. */
const rulesOf = (queue: Queue | undefined) =>
  queue?.concurrentMatches === true ? [] : (queue?.matchmaking?.rules ?? [])

const seatedIn = ({ teams }: Match): Seated[] =>
  teams.flatMap(({ name, players }) => players.map((player) => ({ ...player, team: name })))

/** Returns the pairs of players in the match of which at least one player came in this step, by matchmaking. */
function newPairs(match: Match, before: Match | undefined): (readonly [Seated, Seated])[] {
  if (match.seats === undefined) return []
  const present = seatedIn(match).filter(({ playerId, leftAt }) => leftAt === null && playerId !== ERASED)
  const known = new Set(before === undefined ? [] : seatedIn(before).map(placeOf))
  // A friend for whom a seat was kept was chosen, so the rules do not apply.
  const kept = new Set((before?.keptSeats ?? []).map(({ playerId }) => playerId))
  const isNew = (player: Seated) => !known.has(placeOf(player)) && !kept.has(player.playerId)
  return present.flatMap((one, index) =>
    present.slice(index + 1).flatMap((other) => (isNew(one) || isNew(other) ? [[one, other] as const] : [])),
  )
}

const placeOf = ({ playerId, lobbyId }: Seated) => `${lobbyId} ${playerId}`

/** Returns the state with which a player came from the lobby; for a player who was there before, the state in the match. */
const stateIn = ({ lobbies }: Snapshot, { lobbyId, playerId, state }: Seated): JsonObject => {
  const lobby = lobbies.get(lobbyId)
  const member = lobby?.status === 'in_queue' ? lobby.players.find((player) => player.playerId === playerId) : undefined
  return member?.state ?? state
}

/** Returns the time at which the player's lobby entered the queue; 0 for a player who was in the match before. */
const enteredIn = ({ lobbies }: Snapshot, { lobbyId }: Seated): number => {
  const lobby = lobbies.get(lobbyId)
  return (lobby?.ticket ?? (lobby && proposalOf(lobby)))?.enteredAt ?? 0
}

/**
 * Whether two players were opponents in a match of the queue that began after `since`, and before one of them entered the queue. A search
 * does not know a match that began later; the service ends such a search by a job.
 */
function wereOpponents(queueId: string, now: Snapshot, [a, b]: readonly [Seated, Seated], since: number): boolean {
  const until = Math.max(...[a, b].map((player) => enteredIn(now, player)))
  return [...now.matches.values()].some((match) => {
    const { startedAt, seats, endedAt } = match
    if (match.queueId !== queueId || seats === undefined || startedAt === undefined) return false
    if (startedAt <= since || startedAt >= until) return false
    const presences = seatedIn(match).map((player) => ({
      ...player,
      from: Math.max(startedAt, player.joinedAt ?? startedAt),
      to: player.leftAt ?? endedAt ?? Number.POSITIVE_INFINITY,
    }))
    return presences.some((one) =>
      presences.some(
        (other) =>
          one.playerId === a.playerId &&
          other.playerId === b.playerId &&
          one.team !== other.team &&
          one.from <= other.to &&
          other.from <= one.to,
      ),
    )
  })
}

/** Invariant: no match is made of, or filled with, players who were opponents within the seconds of the queue's rule. */
export const nobodyMeetsARecentOpponent: Invariant = ({ now, before }) =>
  before === undefined
    ? []
    : [...now.matches.values()].flatMap((match) => {
        const rules = rulesOf(now.queues.get(`${match.projectId}/${match.queueId}`))
        const rule = rules.find(({ type }) => type === 'recent_opponents')
        if (rule?.type !== 'recent_opponents') return []
        const known = before.matches.get(match.id)
        const since = (known === undefined ? match.createdAt : now.at) - (rule.seconds ?? 600) * 1_000
        const others = { ...before, matches: new Map([...before.matches].filter(([id]) => id !== match.id)) }
        return newPairs(match, known)
          .filter(([one, other]) => one.lobbyId !== other.lobbyId)
          .filter((pair) => wereOpponents(match.queueId, others, pair, since))
          .map(([one, other]) => `${match.id} brings ${one.playerId} and ${other.playerId} together again`)
      })

/** Invariant: no match is made of, or filled with, two players if the list of one names the other, in a queue with an `avoid` rule. */
export const nobodyMeetsAnAvoidedPlayer: Invariant = ({ now, before }) =>
  before === undefined
    ? []
    : [...now.matches.values()].flatMap((match) => {
        const rules = rulesOf(now.queues.get(`${match.projectId}/${match.queueId}`))
        if (!rules.some(({ type }) => type === 'avoid')) return []
        const avoids = (one: Seated, { playerId }: Seated) => {
          const { avoid } = stateIn(before, one)
          return Array.isArray(avoid) && avoid.includes(playerId)
        }
        return newPairs(match, before.matches.get(match.id))
          .filter(([one, other]) => avoids(one, other) || avoids(other, one))
          .map(
            ([one, other]) => `${match.id} brings ${one.playerId} and ${other.playerId} together, who avoid each other`,
          )
      })
