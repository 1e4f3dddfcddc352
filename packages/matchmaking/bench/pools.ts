import type { MatchmakingConfig, SeatRequest, Ticket } from '../src/index'
import { REGIONS } from '../src/rules/regions'

/** Returns a small random generator with a seed, so that both sides of a row get the same tickets in every run. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export interface SinglesOptions {
  readonly count: number
  readonly versions: number
  readonly seed?: number
  readonly idFrom?: number
}

export const NOW = 10_000_000

/** Returns tickets of single players: a rating from 0 to 3,000, one of `versions` versions, and one to three of the 16 regions. */
export const singles = ({ count, versions, seed = 1, idFrom = 0 }: SinglesOptions): Ticket[] => {
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, index) => {
    const regions = Array.from(
      { length: 1 + Math.floor(random() * 3) },
      () => REGIONS[Math.floor(random() * 16)] as string,
    )
    const state = { mmr: random() * 3000, game_version: `v${Math.floor(random() * versions)}`, regions }
    const id = idFrom + index
    return { id: `lob_${id}`, enteredAt: 1_000_000 + id, players: [{ playerId: `player_${id}`, state }] }
  })
}

/** Returns the tickets with lists of `names` other players in `state.avoid`, drawn from all players of the tickets. */
export const avoiding = (tickets: readonly Ticket[], names: number, seed = 5): Ticket[] => {
  const random = randomFrom(seed)
  const drawn = () => tickets[Math.floor(random() * tickets.length)]?.players[0]?.playerId as string
  return tickets.map((ticket) => ({
    ...ticket,
    players: ticket.players.map((player) => ({
      ...player,
      state: { ...player.state, avoid: Array.from({ length: names }, drawn) },
    })),
  }))
}

const ROLES = ['tank', 'healer', 'dps', 'dps', 'flex'] as const
const TEAM = { tank: 1, healer: 1, dps: 2, flex: 1 }

/** Returns parties of 1 to 5 players that accept different roles. */
export const parties = (players: number, seed = 2): Ticket[] => {
  const random = randomFrom(seed)
  const tickets: Ticket[] = []
  for (let left = players, id = 0; left > 0; id++) {
    const draw = random()
    const size = draw < 0.5 ? 1 : draw < 0.75 ? 2 : draw < 0.88 ? 3 : draw < 0.95 ? 4 : 5
    const rating = random() * 3000
    const first = Math.floor(random() * 5)
    const members = Array.from({ length: size }, (_, seat) => ({
      playerId: `player_${id}_${seat}`,
      state: { mmr: rating + random() * 50, role: ROLES[(first + seat) % 5] as string },
    }))
    tickets.push({ id: `lob_${id}`, enteredAt: 1_000_000 + id, players: members })
    left -= size
  }
  return tickets
}

export const difference = (maxDifference: number): MatchmakingConfig => ({
  rules: [{ type: 'difference', field: 'mmr', maxDifference }],
})
export const allRules = (maxDifference: number): MatchmakingConfig => ({
  useVersionFromState: true,
  rules: [{ type: 'difference', field: 'mmr', maxDifference }, { type: 'region' }],
})
export const roles: MatchmakingConfig = {
  teamComposition: { red: TEAM, blue: TEAM },
  rules: [{ type: 'difference', field: 'mmr', maxDifference: 200 }],
}

/** Returns running matches, each with one open seat and one present player like those of `singles`. */
export const openSeats = (options: SinglesOptions): SeatRequest[] =>
  singles(options).map(({ id, enteredAt, players: [player] }) => {
    const { playerId, state } = player as Ticket['players'][0]
    return {
      id,
      requestedAt: enteredAt,
      players: [{ playerId, state, team: 'team_1', role: null }],
      teams: [{ name: 'team_2', open: 1, roles: null }],
      region: (state.regions as string[])[0] as string,
      version: state.game_version as string,
    }
  })
