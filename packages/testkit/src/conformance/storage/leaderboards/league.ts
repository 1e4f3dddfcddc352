import { createMatchyard, type Matchyard } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { FakeClock } from '../../../fakes/clock'
import { fakePlatform } from '../../../fakes/platform'

/** Players of a league: one id is the beginning of another one, and the order by code units differs from the order by code points. */
export const PLAYERS = ['ann', 'anna', '\u{1f600}', '\uff5e'] as const

export const RATING_ID = 'ladder'
const QUEUE_ID = 'duel'

interface PlayedMatch {
  readonly id: string
  /** Number of the season in which the match counts. */
  readonly season: number
  /** Players in the order of the teams; an empty text is an erased player. */
  players: string[]
  completed: boolean
}

/** A service with a rating, and the numbers of matches that its standings must have. */
export class League {
  /** Names of the seasons in their order; an empty name is the time before the first season. */
  readonly seasons = ['']
  placementMatches = 2
  private readonly played: PlayedMatch[] = []

  private constructor(
    readonly matchyard: Matchyard,
    readonly projectId: string,
    private readonly clock: FakeClock,
  ) {}

  static async open(storage: Storage): Promise<League> {
    const clock = new FakeClock()
    const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage })
    await matchyard.open()
    const { id: projectId } = await matchyard.projects.ensure({ name: 'league' })
    const league = new League(matchyard, projectId, clock)
    await league.place(league.placementMatches)
    const matchmaking = { teams: 2, playersPerTeam: 1 }
    await matchyard.queues.create({ projectId, queueId: QUEUE_ID, name: 'Duel', rating: RATING_ID, matchmaking })
    return league
  }

  /** Changes the number of matches after which a player is on the leaderboard. */
  async place(placementMatches: number): Promise<void> {
    const { projectId } = this
    await this.matchyard.ratings.set({ projectId, ratingId: RATING_ID, name: 'Ladder', placementMatches })
    this.placementMatches = placementMatches
  }

  async startSeason(keep: number): Promise<void> {
    const name = `season ${this.seasons.length}`
    await this.matchyard.ratings.startSeason({ projectId: this.projectId, ratingId: RATING_ID, name, keep })
    this.seasons.push(name)
  }

  async play(players: readonly string[], winner: number): Promise<void> {
    const { matchyard, projectId } = this
    this.clock.advance(1_000)
    for (const playerId of players) {
      const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: QUEUE_ID, playerId })
      await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
    }
    await matchyard.matchmaking.runQueue(`${projectId}/${QUEUE_ID}`)
    await this.settle()
    const { data } = await matchyard.matches.list({ projectId, status: 'running' })
    const match = data[0]?.match
    if (match === undefined) throw new Error('no match was made')
    const roster = match.teams.flatMap((team) => team.players.map(({ playerId }) => playerId))
    const one = { id: match.id, season: this.seasons.length - 1, players: roster, completed: true }
    await matchyard.matches.result({ projectId, matchId: match.id, teams: ranks(winner), end: true })
    this.played.push(one)
  }

  /** Amends the result of a match that was played before; does nothing before the first match. */
  async amend(pick: number, winner: number, completed: boolean): Promise<void> {
    const match = this.played[pick % Math.max(1, this.played.length)]
    if (match === undefined) return
    const result = { projectId: this.projectId, matchId: match.id, teams: ranks(winner), completed, amend: true }
    await this.matchyard.matches.result(result)
    match.completed = completed
  }

  async erase(playerId: string): Promise<void> {
    await this.matchyard.players.erase({ projectId: this.projectId, playerId })
    await this.settle()
    for (const match of this.played) match.players = match.players.map((id) => (id === playerId ? '' : id))
  }

  /** Returns the number of counted matches of each player in a season, without players who have none. */
  matchesIn(season: number): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const match of this.played) {
      if (match.season !== season || !match.completed) continue
      for (const id of match.players) if (id !== '') counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    return counts
  }

  private async settle(): Promise<void> {
    while ((await this.matchyard.worker.runDueJobs()) > 0);
  }
}

const ranks = (winner: number) => ['team_1', 'team_2'].map((name, index) => ({ name, rank: index === winner ? 1 : 2 }))
