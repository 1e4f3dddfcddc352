import { type MatchFormat, VERSION_FIELD } from '../config/match-format'
import { own, readStrings } from '../rules/read'
import type { PartyCheck, TicketPlayer } from '../types'
import { RoleSeats, type Wish } from './role-seats'

type State = TicketPlayer['state']

/** The roles a player takes, best first; undefined: any. `role` wins over `roles`. */
export const rolesOf = (state: State): Wish => {
  const role = own(state, 'role')
  return typeof role === 'string' ? [role] : readStrings(state, 'roles')
}

/** The version that a whole party plays; undefined when a player has none, or they differ, or it is not allowed. */
export const versionOf = (format: MatchFormat, players: readonly TicketPlayer[]): string | undefined => {
  const version = players[0] && own(players[0].state, VERSION_FIELD)
  if (typeof version !== 'string' || format.allowedVersions?.has(version) === false) return undefined
  for (let seat = 1; seat < players.length; seat++) {
    if (own(players[seat]?.state ?? {}, VERSION_FIELD) !== version) return undefined
  }
  return version
}

const refused = (rule: string): PartyCheck => ({ ok: false, code: 'PARTY_CANNOT_MATCH', rule })

/** Whether a party could ever be in a match, judged at the loosest step of every rule. */
export const partyCheck = (format: MatchFormat, players: readonly TicketPlayer[]): PartyCheck => {
  if (players.length > format.maxPartySize) return { ok: false, code: 'PARTY_TOO_LARGE' }
  if (players.length === 0 || hasTwice(players)) return refused('players')
  if (format.versioned && versionOf(format, players) === undefined) return refused('version')
  const last = format.thresholds.length
  for (const { rule, kind, bounds, off } of format.rules) {
    // One player agrees with himself, and the averages of one team alone are never apart.
    const free = off[last] || kind.shape === 'teams' || (players.length === 1 && AGREES_ALONE.has(kind.shape))
    if (free && !rule.required) continue
    const values = players.map((player) => kind.read(player.state, rule))
    if (rule.required && values.includes(undefined)) return refused(rule.type)
    if (free) continue
    const present = values.filter((value) => value !== undefined)
    if (!kind.holds(present, bounds[last] as number)) return refused(rule.type)
  }
  return fitsSomeTeam(format, players) ? { ok: true } : refused(format.composed ? 'roles' : 'players')
}

const AGREES_ALONE: ReadonlySet<string> = new Set(['range', 'key'])

const hasTwice = (players: readonly TicketPlayer[]): boolean =>
  players.length > 1 && new Set(players.map((player) => player.playerId)).size !== players.length

/** Whether some single team has a place for every player of the party. */
const fitsSomeTeam = (format: MatchFormat, players: readonly TicketPlayer[]): boolean => {
  if (!format.composed) return players.length <= format.largestTeam
  const wishes = players.map((player) => rolesOf(player.state))
  return format.teams.some((team) => players.length <= team.max && (!team.roles || canSeat(team.roles, wishes)))
}

/** Whether players with these wishes have a place each. */
export function canSeat(places: ReadonlyMap<string, number>, wishes: readonly Wish[]): boolean {
  const seats = RoleSeats.of(places)
  return wishes.every((wish) => seats.seat(wish))
}
