import { formatOf, type MatchFormat } from '../config/match-format'
import type { MatchmakingConfig, Proposal, SeatRequest, Ticket } from '../types'
import { type Member, membersById, stateOf } from './broken-rule'
import { membersOf, wholeParties } from './is-valid-match'
import { joiningLevel, wrongTogether } from './joining'
import { partyCheck, rolesOf, versionOf } from './party'

/**
 * Returns true when a proposal may fill seats of a running match's request at `now` (epoch milliseconds), otherwise the
 * first fault as text. Every rule must hold for the present players and all new players together. If the present
 * players break a rule among themselves, no party may join until the rule holds again or is relaxed. The check shares
 * no code with the search.
 */
export const isValidFill = (
  config: MatchmakingConfig,
  tickets: readonly Ticket[],
  request: SeatRequest,
  proposal: Proposal,
  now: number,
): true | string => {
  const format = formatOf(config)
  if (proposal.requestId !== request.id) return `request ${proposal.requestId} is another`
  const members = membersOf(tickets, proposal)
  if (typeof members === 'string') return members
  return (
    wholeParties(members, proposal) ??
    seatsFree(members, request, proposal) ??
    partiesSuit(format, members, request, proposal) ??
    rulesHold(format, members, request, proposal, now) ??
    true
  )
}

const seatsFree = (members: readonly Ticket[], request: SeatRequest, { teams }: Proposal): string | undefined => {
  const states = membersById(members)
  const playing = new Set(request.players.map((player) => player.playerId))
  if (new Set(teams.map((team) => team.name)).size !== teams.length) return 'a team appears twice'
  for (const { name, players } of teams) {
    const seats = request.teams.find((team) => team.name === name)
    if (!seats || players.length === 0 || players.length > seats.open) return `team ${name} has no such seats`
    const left = new Map(Object.entries(seats.roles ?? {}))
    for (const { playerId, role } of players) {
      if (playing.has(playerId)) return `${playerId} plays already`
      if (!seats.roles) {
        if (role !== null) return `${playerId} has a role where there are none`
        continue
      }
      if (role === null || !left.get(role)) return `team ${name} has no seat for ${playerId} as ${role}`
      if (rolesOf(stateOf(states, playerId))?.includes(role) === false) return `${playerId} does not play ${role}`
      left.set(role, (left.get(role) as number) - 1)
    }
  }
  return undefined
}

const partiesSuit = (
  format: MatchFormat,
  members: readonly Ticket[],
  request: SeatRequest,
  proposal: Proposal,
): string | undefined => {
  for (const { id, players } of members) {
    const party = partyCheck(format, players)
    if (!party.ok) return `party ${id}: ${party.code} ${'rule' in party ? party.rule : ''}`
    if (format.versioned && versionOf(format, players) !== request.version) return `version of party ${id}`
  }
  if (proposal.version !== request.version) return 'version'
  return proposal.region === request.region ? undefined : `region ${proposal.region} is not the match's`
}

const rulesHold = (
  format: MatchFormat,
  members: readonly Ticket[],
  request: SeatRequest,
  { teams }: Proposal,
  now: number,
): string | undefined => {
  const byId = membersById(members)
  const newcomers = teams.map(
    ({ name, players }) => [name, players.map(({ playerId }) => byId.get(playerId) as Member)] as const,
  )
  return wrongTogether(format, request, joiningLevel(format, request, members, now), now, new Map(newcomers))
}
