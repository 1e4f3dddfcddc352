import { formatOf, levelAt, type MatchFormat } from '../config/match-format'
import { regionBit } from '../rules/region-mask'
import type { MatchmakingConfig, Proposal, SeatRequest, Ticket } from '../types'
import { brokenRule, statesOf } from './broken-rule'
import { membersOf, wholeParties } from './is-valid-match'
import { partyCheck, rolesOf, versionOf } from './party'
import { regionSuits } from './region-suits'

/**
 * Whether a proposal may fill seats of a request at `now` (epoch milliseconds): true, or the first thing wrong with it. Every
 * rule must hold over those who still play and all newcomers together: where those who play break one among themselves, nobody
 * may join until it holds again or is relaxed. It shares nothing with the search.
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
  const states = statesOf(members)
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
      if (rolesOf(states.get(playerId) ?? {})?.includes(role) === false) return `${playerId} does not play ${role}`
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
    if (!party.ok) return `party ${id}: ${party.code} ${party.rule ?? ''}`
    if (format.versioned && versionOf(format, players) !== request.version) return `version of party ${id}`
  }
  if (proposal.version !== request.version) return 'version'
  return proposal.region === request.region ? undefined : `region ${proposal.region} is not the match's`
}

const rulesHold = (
  format: MatchFormat,
  members: readonly Ticket[],
  request: SeatRequest,
  proposal: Proposal,
  now: number,
): string | undefined => {
  const ages = [request.requestedAt, ...members.map((ticket) => ticket.enteredAt)]
  const level = levelAt(format, format.ageOf === 'oldest' ? Math.min(...ages) : Math.max(...ages), now)
  const states = statesOf(members)
  const names = new Set(
    [...request.players, ...proposal.teams.map(({ name }) => ({ team: name }))].map((one) => one.team),
  )
  const teams = [...names].map((name) => [
    ...request.players.filter(({ team }) => team === name).map(({ state }) => state),
    ...(proposal.teams.find((team) => team.name === name)?.players ?? []).map(
      ({ playerId }) => states.get(playerId) ?? {},
    ),
  ])
  const playing = request.players.map(({ state }) => state)
  return (
    brokenRule(format, level, teams) ??
    (regionSuits(format, level, regionBit(request.region), playing, [...states.values()])
      ? undefined
      : `region ${request.region} does not suit`)
  )
}
