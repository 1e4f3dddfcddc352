import type { MatchmakingConfig, SeatRequest, TicketPlayer } from '@matchyard/matchmaking'
import fc from 'fast-check'
import { anyState, POOL_NOW } from './arbitraries'
import { recentAt } from './recent'

type State = TicketPlayer['state']

/**
 * A seat of a full match: a player sits there (`playing`), the request asks for a player (`open`), or neither
 * (`empty`).
 */
type Seat = 'playing' | 'open' | 'empty'

/** Returns the seats of a full match: for each team its name, and for each seat its role or null. */
const seatsOf = (config: MatchmakingConfig): [string, (string | null)[]][] =>
  config.teamComposition
    ? Object.entries(config.teamComposition).map(([name, roles]) => [
        name,
        Object.entries(roles).flatMap(([role, count]) => new Array<string>(count).fill(role)),
      ])
    : Array.from({ length: config.teams ?? 2 }, (_, index) => [
        `team_${index + 1}`,
        new Array<null>(config.playersPerTeam ?? 1).fill(null),
      ])

export interface RequestOptions {
  readonly maxRequests: number
  /** Most open seats of one request. */
  readonly maxOpen: number
  /** Arbitrary (fast-check's generator) for the states of the present players. */
  readonly state?: fc.Arbitrary<State>
}

/**
 * Returns a player's state that is similar to the states of the other present players; without this similarity no party
 * could ever join.
 */
const alike = (base: State, seat: number, odd: boolean): State => {
  const { clan: _, ...rest } = base
  if (odd) return {}
  return typeof rest.mmr === 'number' ? { ...rest, mmr: rest.mmr + (seat % 3) } : rest
}

/**
 * Generates requests for players to take open seats in matches of a queue, with distinct ids; some requests have the
 * same age.
 */
export const anyRequests = (
  config: MatchmakingConfig,
  { maxRequests, maxOpen, state = anyState }: RequestOptions,
): fc.Arbitrary<SeatRequest[]> => {
  const teams = seatsOf(config)
  const places = teams.reduce((sum, [, seats]) => sum + seats.length, 0)
  const draft = fc.record({
    wait: fc.integer({ min: 0, max: 12 }).map((step) => step * 5_000),
    base: state,
    seats: fc.array(fc.constantFrom<Seat>('playing', 'playing', 'open', 'open', 'empty'), {
      minLength: places,
      maxLength: places,
    }),
    odd: fc.nat(12),
    region: fc.constantFrom('fra', 'fra', 'ams', 'sin'),
    version: fc.constantFrom('v1', 'v1', 'v2', null),
    known: fc.nat(20),
    recent: recentAt(POOL_NOW),
  })
  return fc.array(draft, { maxLength: maxRequests, size: 'max' }).map((drafts) =>
    drafts.map(({ wait, base, seats, odd, region, version, known, recent }, index): SeatRequest => {
      let at = 0
      let left = maxOpen
      const players: SeatRequest['players'][0][] = []
      const asked = teams.map(([name, roles]) => {
        const open: (string | null)[] = []
        for (const role of roles) {
          const seat = seats[at] as Seat
          // In some requests, a present player also waits in a ticket.
          const playerId = at === 0 && known < 2 ? `p${known}.0` : `m${index}.${at}`
          if (seat === 'playing') {
            const met = at === 0 && recent !== undefined ? { recent } : {}
            players.push({ playerId, state: alike(base, at, at === odd), ...met, team: name, role })
          }
          if (seat === 'open' && left > 0) {
            open.push(role)
            left--
          }
          at++
        }
        const counts = open.reduce<Record<string, number>>((sum, role) => {
          if (role !== null) sum[role] = (sum[role] ?? 0) + 1
          return sum
        }, {})
        return { name, open: open.length, roles: config.teamComposition ? counts : null }
      })
      return {
        id: `m${index}`,
        requestedAt: POOL_NOW - wait,
        players,
        teams: asked,
        region,
        version: config.useVersionFromState ? version : null,
      }
    }),
  )
}
