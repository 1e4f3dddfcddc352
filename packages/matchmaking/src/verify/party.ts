import { type MatchFormat, type RuleLevels, VERSION_FIELD } from '../config/match-format'
import { namesAny } from '../rules/apart'
import { own, readStrings } from '../rules/read'
import type { PartyCheck, PartyFault, TicketPlayer } from '../types'
import { RoleSeats, type Wish } from './role-seats'

type State = TicketPlayer['state']

/**
 * Returns the roles that a player accepts, best first; undefined when the player accepts every role. The field `role`
 * takes precedence over `roles`.
 */
export const rolesOf = (state: State): Wish => {
  const role = own(state, 'role')
  return typeof role === 'string' ? [role] : readStrings(state, 'roles')
}

const rolesField = (players: readonly TicketPlayer[]): string =>
  players.some(({ state }) => typeof own(state, 'role') === 'string') ? 'role' : 'roles'

/**
 * Returns the version of a party; undefined when a player has no version, when the players' versions differ, or when
 * the version is not allowed.
 */
export const versionOf = (format: MatchFormat, players: readonly TicketPlayer[]): string | undefined => {
  const version = players[0] && own(players[0].state, VERSION_FIELD)
  if (typeof version !== 'string' || format.allowedVersions?.has(version) === false) return undefined
  for (let seat = 1; seat < players.length; seat++) {
    if (own(players[seat]?.state ?? {}, VERSION_FIELD) !== version) return undefined
  }
  return version
}

const refused = (fault: PartyFault): PartyCheck => ({ ok: false, code: 'PARTY_CANNOT_MATCH', ...fault })

/** Returns a fault with the values that the players have in the field. */
const faultOf = (rule: string, field: string, players: readonly TicketPlayer[], bound?: number): PartyFault => ({
  rule,
  field,
  values: players.map(({ state }) => own(state, field)),
  ...(bound === undefined ? {} : { bound }),
})

/** Returns whether a party could ever be in a match, checked at the loosest step of every rule. */
export const partyCheck = (format: MatchFormat, players: readonly TicketPlayer[]): PartyCheck => {
  if (players.length > format.maxPartySize) return { ok: false, code: 'PARTY_TOO_LARGE', most: format.maxPartySize }
  if (players.length === 0 || hasTwice(players)) return refused({ rule: 'players' })
  if (format.versioned && versionOf(format, players) === undefined) {
    return refused(faultOf('version', VERSION_FIELD, players))
  }
  const last = format.thresholds.length
  for (const levels of format.rules) {
    const { rule, kind, bounds, off } = levels
    const field = levels.field as string
    // A single player always agrees with itself, and the average of a single team has no difference.
    if (kind.shape === 'apart') {
      const fault = apartFault(levels, off[last] as boolean, players)
      if (fault) return refused(fault)
      continue
    }
    const free = off[last] || kind.shape === 'teams' || (players.length === 1 && AGREES_ALONE.has(kind.shape))
    const isRequired = 'required' in rule && rule.required === true
    if (free && !isRequired) continue
    const values = players.map((player) => kind.read(player.state, rule))
    const without = isRequired ? players[values.indexOf(undefined)] : undefined
    if (without !== undefined) {
      const { playerId } = without
      return refused({ ...faultOf(rule.type, field, [without]), playerId, wants: kind.wants })
    }
    if (free) continue
    const present = values.filter((value) => value !== undefined)
    const bound = bounds[last] as number
    if (!kind.holds(present, bound)) {
      return refused(faultOf(rule.type, field, players, kind.bound === null ? undefined : bound))
    }
  }
  if (fitsSomeTeam(format, players)) return { ok: true }
  return refused(format.composed ? faultOf('roles', rolesField(players), players) : { rule: 'players' })
}

/** Returns the fault of a party under an `apart` rule; private values are not part of it. */
const apartFault = (
  { rule, kind, field }: RuleLevels,
  isOff: boolean,
  players: readonly TicketPlayer[],
): PartyFault | undefined => {
  if (field === null) return undefined
  for (const { playerId, state } of players) {
    const isAbsent = own(state, field) === undefined
    const isRequired = (rule as { required?: boolean }).required === true
    if (isAbsent ? isRequired : kind.read(state, rule) === undefined) {
      return { rule: rule.type, field, playerId, wants: kind.wants }
    }
  }
  const isApart = kind.inParty && !isOff && players.length > 1 && namesAny(kind, rule, players, players, 0, 0)
  return isApart ? { rule: rule.type, field } : undefined
}

const AGREES_ALONE: ReadonlySet<string> = new Set(['range', 'key'])

const hasTwice = (players: readonly TicketPlayer[]): boolean =>
  players.length > 1 && new Set(players.map((player) => player.playerId)).size !== players.length

/** Whether one team has a place for every player of the party. */
const fitsSomeTeam = (format: MatchFormat, players: readonly TicketPlayer[]): boolean => {
  if (!format.composed) return players.length <= format.largestTeam
  const wishes = players.map((player) => rolesOf(player.state))
  return format.teams.some((team) => players.length <= team.max && (!team.roles || canSeat(team.roles, wishes)))
}

/** Whether these places are enough for the players, who accept the roles in `wishes`. */
export function canSeat(places: ReadonlyMap<string, number>, wishes: readonly Wish[]): boolean {
  const seats = RoleSeats.of(places)
  return wishes.every((wish) => seats.seat(wish))
}
