import { levelAt, type MatchFormat } from '../config/match-format'
import { ALL_REGIONS, REGION_CODES, regionBit, regionMask } from '../rules/region-mask'
import type { SeatRequest, Ticket, TicketPlayer } from '../types'
import { brokenRule, type Member } from './broken-rule'
import { canSeat, partyCheck, rolesOf, versionOf } from './party'

type State = TicketPlayer['state']

/** Returns the level of relaxation at which the rules apply to parties that join a running match. */
export const joiningLevel = (
  format: MatchFormat,
  { requestedAt }: SeatRequest,
  parties: readonly Ticket[],
  now: number,
): number => {
  const ages = [requestedAt, ...parties.map((party) => party.enteredAt)]
  return levelAt(format, format.ageOf === 'oldest' ? Math.min(...ages) : Math.max(...ages), now)
}

/**
 * Returns the first rule that new players and present players break together, or the match's region if it does not suit
 * a player; undefined when there is no fault.
 */
export const wrongTogether = (
  format: MatchFormat,
  { players, region }: SeatRequest,
  level: number,
  now: number,
  newcomers: ReadonlyMap<string, readonly Member[]>,
): string | undefined => {
  const teams = new Map<string, readonly Member[]>(newcomers)
  for (const player of players) {
    teams.set(player.team, [...(teams.get(player.team) ?? []), { ...player, party: null }])
  }
  const playing = players.map(({ state }) => state)
  const joining = [...newcomers.values()].flatMap((members) => members.map(({ state }) => state))
  return (
    brokenRule(format, level, now, [...teams.values()]) ??
    (regionSuits(format, level, regionBit(region), playing, joining) ? undefined : `region ${region} does not suit`)
  )
}

/**
 * Whether the region of the match suits all players. It must be in the list of each new player who lists regions. For
 * every player who sent pings, the ping to this region must be within the bound.
 */
const regionSuits = (
  format: MatchFormat,
  level: number,
  bit: number,
  playing: readonly State[],
  joining: readonly State[],
): boolean =>
  format.rules.every(({ rule, kind, bounds, off }) => {
    if (off[level] || (kind.shape !== 'mask' && kind.shape !== 'ceiling')) return true
    const judged = kind.shape === 'mask' ? joining : [...playing, ...joining]
    return judged.every((state) => {
      const value = kind.read(state, rule) ?? ALL_REGIONS
      const mask = typeof value === 'number' ? value : within(value as readonly number[], bounds[level] as number)
      return (mask & bit) !== 0
    })
  })

const within = (pings: readonly number[], bound: number): number =>
  regionMask(REGION_CODES.filter((_, index) => (pings[index] as number) <= bound))

/** Whether a party may join a running match at `now`, if no other party joins with it. */
export const canJoin = (format: MatchFormat, request: SeatRequest, party: Ticket, now: number): boolean => {
  const { players } = party
  const level = joiningLevel(format, request, [party], now)
  const states = players.map(({ state }) => state)
  const members = players.map((player) => ({ ...player, party: party.id }))
  return (
    partyCheck(format, players).ok &&
    !(format.versioned && versionOf(format, players) !== request.version) &&
    !players.some(({ playerId }) => request.players.some((player) => player.playerId === playerId)) &&
    request.teams.some(
      ({ name, open, roles }) =>
        players.length <= open &&
        (!roles || canSeat(new Map(Object.entries(roles)), states.map(rolesOf))) &&
        wrongTogether(format, request, level, now, new Map([[name, members]])) === undefined,
    )
  )
}
