import { isValidMatch } from './is-valid-match'
import { matchRegion } from './match-region'
import { rolesOf, versionOf } from './party'
import { byAge, type Plan } from './plan'
import type { MatchmakingConfig, Proposal, ProposedTeam, Ticket } from './types'

/** Steps of one anchor's search. */
const MAX_STEPS = 300

/** A first search: anchors by age, each takes what fits in order of age, with a little backtracking. */
export const simpleSearch = (
  config: MatchmakingConfig,
  plan: Plan,
  tickets: readonly Ticket[],
  now: number,
): Proposal[] => {
  const left = new Set([...tickets].sort(byAge))
  const proposals: Proposal[] = []
  const sizes = plan.short ? [plan.fullSize, plan.leastSize] : [plan.fullSize]
  for (const size of sizes) {
    for (const anchor of [...left]) {
      if (!left.has(anchor)) continue
      const proposal = serve(config, plan, anchor, [...left], size, now)
      if (!proposal) continue
      proposals.push(proposal)
      for (const ticket of left) if (proposal.ticketIds.includes(ticket.id)) left.delete(ticket)
    }
  }
  return proposals
}

const serve = (
  config: MatchmakingConfig,
  plan: Plan,
  anchor: Ticket,
  left: readonly Ticket[],
  size: number,
  now: number,
): Proposal | undefined => {
  const younger = left.slice(left.indexOf(anchor) + 1)
  let steps = 0
  const grow = (members: Ticket[], from: number, players: number): Proposal | undefined => {
    if (steps++ > MAX_STEPS) return undefined
    if (players === size) return judged(config, plan, members, now)
    for (let index = from; index < younger.length; index++) {
      const next = younger[index] as Ticket
      if (players + next.players.length > size) continue
      const found = grow([...members, next], index + 1, players + next.players.length)
      if (found) return found
    }
    return undefined
  }
  return grow([anchor], 0, anchor.players.length)
}

const judged = (config: MatchmakingConfig, plan: Plan, members: Ticket[], now: number): Proposal | undefined => {
  const teams = seat(plan, members)
  if (!teams) return undefined
  const proposal: Proposal = {
    ticketIds: members.map((ticket) => ticket.id),
    teams,
    region: matchRegion(plan, members, now),
    version: plan.versioned ? (versionOf(plan, members[0]?.players ?? []) ?? null) : null,
  }
  return isValidMatch(config, members, proposal, now) === true ? proposal : undefined
}

type Roles = Map<string, number>

const seat = (plan: Plan, members: readonly Ticket[]): ProposedTeam[] | undefined => {
  const players = members.reduce((sum, ticket) => sum + ticket.players.length, 0)
  const planned = players === plan.fullSize ? plan.teams : plan.teams.slice(0, plan.minTeams)
  const rooms = planned.map((team) => ({
    name: team.name,
    left: players === plan.fullSize ? team.max : team.min,
    roles: team.roles && (new Map(team.roles) as Roles),
    players: [] as { playerId: string; ticketId: string; role: string | null }[],
  }))
  const place = (index: number): boolean => {
    const ticket = members[index]
    if (!ticket) return true
    for (const room of rooms) {
      if (room.left < ticket.players.length) continue
      const before = { left: room.left, roles: room.roles && new Map(room.roles), players: room.players.length }
      const seated = ticket.players.every(({ playerId, state }) => {
        const roles = room.roles
        const role = roles && (rolesOf(state) ?? [...roles.keys()]).find((name) => (roles.get(name) ?? 0) > 0)
        if (roles && role === undefined) return false
        if (roles && role !== undefined) roles.set(role, (roles.get(role) as number) - 1)
        room.players.push({ playerId, ticketId: ticket.id, role: role ?? null })
        room.left--
        return true
      })
      if (seated && place(index + 1)) return true
      room.left = before.left
      room.roles = before.roles
      room.players.length = before.players
    }
    return false
  }
  return place(0) ? rooms.map(({ name, players: seated }) => ({ name, players: seated })) : undefined
}
