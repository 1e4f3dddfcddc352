import type { MatchFormat, RuleLevels } from '../config/match-format'
import { namesAny } from '../rules/apart'
import type { Ticket, TicketPlayer } from '../types'

/** A player of a match, with the party that the player came with. */
export interface Member extends TicketPlayer {
  /** Id of the player's ticket; null for the present players of a running match. */
  readonly party: string | null
}

/** Returns every player of these tickets with their party, by player id. */
export const membersById = (tickets: readonly Ticket[]): Map<string, Member> =>
  new Map(tickets.flatMap(({ id, players }) => players.map((player) => [player.playerId, { ...player, party: id }])))

/** Returns a player's state; an empty state where the player is not known. */
export const stateOf = (members: ReadonlyMap<string, Member>, playerId: string): TicketPlayer['state'] =>
  members.get(playerId)?.state ?? {}

/**
 * Returns the first rule that the players of these teams break at `now` at a level of relaxation; undefined when all
 * rules hold.
 */
export const brokenRule = (
  format: MatchFormat,
  level: number,
  now: number,
  teams: readonly (readonly Member[])[],
): string | undefined => {
  for (const levels of format.rules) {
    const { rule, kind, bounds, off, field, inTeam } = levels
    if (off[level]) continue
    const bound = bounds[level] as number
    if (kind.shape === 'apart') {
      const broken = (inTeam ? teams : [teams.flat()]).some((members) => mustPart(levels, members, bound, now))
      if (broken) return inTeam ? `rule ${rule.type} in a team` : `rule ${rule.type}`
      continue
    }
    const read = (members: readonly Member[]) =>
      members.map(({ state }) => kind.read(state, rule)).filter((value) => value !== undefined)
    const values =
      kind.shape === 'teams'
        ? teams.map((members) => average(read(members) as number[])).filter((value) => value !== undefined)
        : read(teams.flat())
    if (!kind.holds(values, bound)) return `rule ${rule.type} on ${field}`
  }
  return undefined
}

/** Whether an `apart` rule keeps two of these players apart. */
const mustPart = ({ kind, rule }: RuleLevels, members: readonly Member[], seconds: number, now: number): boolean =>
  members.some((one) =>
    members.some(
      (other) => (kind.inParty || one.party !== other.party) && namesAny(kind, rule, [one], [other], seconds, now),
    ),
  )

const average = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
