import { QueueRoom } from '@colyseus/core'
import type { SeatRequest, Ticket } from '../src/index'

export interface Outcome {
  readonly matched: number
  /** Mean distance of the two ratings of a match. */
  readonly gap: number
}

const stateOf = (ticket: Ticket) => ticket.players[0]?.state as { mmr: number; game_version: string; regions: string[] }

/** A typical hand-written matchmaker, for comparison: each new player takes the first waiting player that fits. It compares every pair. */
export const firstFit = (tickets: readonly Ticket[], maxDifference: number): Outcome => {
  const players = tickets.map(stateOf)
  const waiting: (typeof players)[0][] = []
  let matched = 0
  let gaps = 0
  for (const player of players) {
    let found = -1
    for (let index = 0; index < waiting.length; index++) {
      const other = waiting[index] as (typeof players)[0]
      if (Math.abs(other.mmr - player.mmr) > maxDifference || other.game_version !== player.game_version) continue
      if (!other.regions.some((region) => player.regions.includes(region))) continue
      found = index
      break
    }
    if (found < 0) {
      waiting.push(player)
      continue
    }
    gaps += Math.abs((waiting[found]?.mmr as number) - player.mmr)
    waiting.splice(found, 1)
    matched += 2
  }
  return { matched, gap: gaps / Math.max(1, matched / 2) }
}

/** A typical hand-written backfill, for comparison: each match takes the first waiting player that fits. */
export const firstFitSeats = (
  tickets: readonly Ticket[],
  requests: readonly SeatRequest[],
  maxDifference: number,
): { filled: number } => {
  const waiting = tickets.map(stateOf)
  let filled = 0
  for (const { players, region } of requests) {
    const own = players[0]?.state as ReturnType<typeof stateOf>
    for (let index = 0; index < waiting.length; index++) {
      const other = waiting[index] as ReturnType<typeof stateOf>
      if (Math.abs(other.mmr - own.mmr) > maxDifference || other.game_version !== own.game_version) continue
      if (!other.regions.includes(region)) continue
      waiting.splice(index, 1)
      filled++
      break
    }
  }
  return { filled }
}

interface Group {
  averageRank: number
  clients: { userData: { rank: number; state: ReturnType<typeof stateOf> } }[]
  ready?: boolean
}

/**
 * Returns a run of a Colyseus QueueRoom with these tickets, without its server. The room's own `reassignMatchGroups` sorts and groups the
 * clients; the creation of game rooms is left out. Its `compare` applies all three rules, or only the difference.
 */
export const queueRoom = (tickets: readonly Ticket[], maxDifference: number, allRules: boolean): (() => Outcome) => {
  const room = Object.create(QueueRoom.prototype) as Record<string, unknown>
  const clients = tickets.map((ticket) => {
    const state = stateOf(ticket)
    return { userData: { rank: state.mmr, state, currentCycle: 0 } }
  })
  Object.defineProperty(room, 'clients', { value: clients })
  Object.assign(room, {
    maxPlayers: 2,
    maxWaitingCycles: 15,
    maxWaitingCyclesForPriority: 10,
    allowIncompleteGroups: false,
    groups: [],
    highPriorityGroups: [],
    processGroupsReady: () => {},
    compare: (client: { rank: number; state: ReturnType<typeof stateOf> }, group: Group) => {
      if (Math.abs(client.rank - group.averageRank) > maxDifference) return false
      if (!allRules) return true
      return group.clients.every(
        ({ userData: { state } }) =>
          state.game_version === client.state.game_version &&
          state.regions.some((region) => client.state.regions.includes(region)),
      )
    },
  })
  return () => {
    ;(room.reassignMatchGroups as () => void).call(room)
    const ready = (room.groups as Group[]).filter((group) => group.clients.length === 2)
    const gaps = ready.map(({ clients: [a, b] }) => Math.abs((a?.userData.rank ?? 0) - (b?.userData.rank ?? 0)))
    return { matched: ready.length * 2, gap: gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, ready.length) }
  }
}
