import type { MatchmakingConfig, SeatRequest, Ticket, TicketPlayer } from '@matchyard/matchmaking'
import { type Relaxed, relaxed } from './relaxed'

/** A player of a match, with the id of their ticket; null for the present players of a running match. */
interface Seated extends TicketPlayer {
  readonly party: string | null
}

interface Teams {
  readonly teams: readonly {
    readonly name: string
    readonly players: readonly { readonly playerId: string; readonly ticketId: string }[]
  }[]
}

/** Whether a player's list names the other player. */
const avoids = ({ playerId, state }: Seated, other: Seated, field: string): boolean => {
  const list = state[field]
  return Array.isArray(list) && other.playerId !== playerId && list.includes(other.playerId)
}

/** Whether two players met in a match that began less than `seconds` ago. */
const met = (one: Seated, other: Seated, { scope, seconds = 600 }: Relaxed, now: number): boolean =>
  (one.recent ?? []).some(
    ({ playerId, at, opponent }) =>
      playerId === other.playerId && (scope === 'anyone' || opponent) && now < at + seconds * 1_000,
  )

const holds = (rule: Relaxed, teams: readonly (readonly Seated[])[], now: number): boolean => {
  if (rule.off) return true
  const groups = rule.type === 'avoid' && rule.scope === 'team' ? teams : [teams.flat()]
  return groups.every((players) =>
    players.every((one) =>
      players.every((other) => {
        if (rule.type === 'avoid') return !avoids(one, other, rule.field ?? 'avoid')
        if (rule.type === 'recent_opponents') return one.party === other.party || !met(one, other, rule, now)
        return true
      }),
    ),
  )
}

/**
 * Whether every `avoid` and `recent_opponents` rule holds for these tickets in these teams, and for the present players
 * of a request. The function follows the documentation and uses no code of the engine.
 */
export function areApart(
  config: MatchmakingConfig,
  tickets: readonly Ticket[],
  { teams }: Teams,
  now: number,
  request?: SeatRequest,
): boolean {
  const players = new Map(
    tickets.flatMap((ticket) => ticket.players.map((player) => [player.playerId, { ...player, party: ticket.id }])),
  )
  const ages = [...tickets.map(({ enteredAt }) => enteredAt), ...(request ? [request.requestedAt] : [])]
  const waitedMs = now - (config.expansionAge === 'newest' ? Math.max(...ages) : Math.min(...ages))
  const seated = new Map<string, Seated[]>()
  for (const { name, players: own } of teams) {
    seated.set(
      name,
      own.map(({ playerId }) => players.get(playerId) as Seated),
    )
  }
  for (const player of request?.players ?? []) {
    seated.set(player.team, [...(seated.get(player.team) ?? []), { ...player, party: null }])
  }
  return (config.rules ?? []).every((rule) => holds(relaxed(rule, waitedMs), [...seated.values()], now))
}

/** Throws where a verdict of the engine differs from the rules that keep players apart. */
export function compareApart(verdict: true | string, isApart: boolean): void {
  if (verdict === true && !isApart) throw new Error('the engine allows players who must not meet')
  if (isApart && verdict !== true && /^rule (avoid|recent_opponents)/.test(verdict)) {
    throw new Error(`the engine refuses players who may meet: ${verdict}`)
  }
}
