import { exponential, generator } from '@matchyard/matchmaking/simulation'
import { ConfigurationError } from '../config/configuration-error'
import { couldBeEven, isEven, trueChance } from './chances'
import { drawPlayers, type TrialPlayer } from './players'
import type { Finished, PlayedMatch, PlayerAtMatch } from './record'
import { openTrialService, type TrialService } from './service'
import type { TrialSettings } from './settings'

/** Distance between the seeds of the service and of the synthetic players, so that their random numbers differ. */
const PLAYERS_SEED = 0x9e3779b9

/**
 * Plays a trial: synthetic players with hidden skills enter the queue of a real service, and each match is won with the
 * probability that the skills give. The same settings give the same trial. `tell` hears the number of played matches.
 */
export async function playTrial(
  settings: TrialSettings,
  tell: (matches: number) => void = () => {},
): Promise<Finished> {
  const service = await openTrialService(settings)
  try {
    return await new Trial(settings, service, tell).play()
  } finally {
    await service.stop()
  }
}

class Trial {
  private readonly random: () => number
  private readonly players: readonly TrialPlayer[]
  /** Players who neither wait nor play. */
  private readonly idle: TrialPlayer[]
  private readonly waiting = new Map<string, TrialPlayer>()
  private readonly matches: PlayedMatch[] = []
  private seasons = 0
  private dueAt: number | undefined

  constructor(
    private readonly settings: TrialSettings,
    private readonly service: TrialService,
    private readonly tell: (matches: number) => void,
  ) {
    this.random = generator(settings.seed ^ PLAYERS_SEED)
    this.players = drawPlayers(settings.players, service.rating.initial, settings.spread, this.random)
    this.idle = [...this.players]
  }

  async play(): Promise<Finished> {
    const { clock } = this.service
    let arrivesAt = clock.now()
    while (this.matches.length < this.settings.matches) {
      arrivesAt += exponential(this.random, this.settings.rate) * 1_000
      await this.tickUntil(arrivesAt)
      clock.advanceTo(arrivesAt)
      if (await this.arrive()) await this.tick()
      else if (this.dueAt === undefined) throw this.noMatches()
    }
    await this.requireSearches()
    const players: PlayerAtMatch[] = []
    for (const player of this.players) {
      const { mu, sigma } = await this.service.ratedSkill(player)
      players.push({ ...{ mu, sigma, skill: player.skill, played: player.played } })
    }
    return { rating: this.service.rating, matches: this.matches, players }
  }

  /** Throws ConfigurationError when a search has ended without a match: its player would be missing in all later matches. */
  private async requireSearches(): Promise<void> {
    for (const player of this.waiting.values()) {
      if (!(await this.service.isSearching(player))) {
        throw new ConfigurationError('a search ended without a match: play fewer --matches, or give a larger --rate')
      }
    }
  }

  /** Runs the ticks that are due before an instant, because a rule loosens with waiting. */
  private async tickUntil(instant: number): Promise<void> {
    const { clock } = this.service
    while (this.dueAt !== undefined && this.dueAt <= instant) {
      clock.advanceTo(Math.max(this.dueAt, clock.now() + 1))
      await this.tick()
    }
  }

  /** Lets a random idle player enter the queue. Returns false while nobody is idle. */
  private async arrive(): Promise<boolean> {
    const { idle } = this
    const place = Math.floor(this.random() * idle.length)
    const player = idle[place]
    const last = idle.pop()
    if (player === undefined || last === undefined) return false
    if (place < idle.length) idle[place] = last
    await this.service.enter(player)
    this.waiting.set(player.playerId, player)
    return true
  }

  private async tick(): Promise<void> {
    const before = [...this.waiting.values()]
    const { matches, dueAt } = await this.service.tick()
    this.dueAt = dueAt
    // The last tick may make more matches than the trial asks for. These stay without a result.
    const asked = this.settings.matches - this.matches.length
    for (const match of matches.slice(0, asked)) await this.finish(match, before)
  }

  private async finish(match: Parameters<TrialService['end']>[0], before: readonly TrialPlayer[]): Promise<void> {
    const teams = match.teams.map(({ players }) => players.map(({ playerId }) => this.takeFromQueue(playerId)))
    const { rating } = this.service
    const chance = trueChance(rating, teams)
    const isFirstWinner = this.random() < chance
    const counted = await this.service.end(match, isFirstWinner ? 0 : 1)
    const predicted = counted.teams[0]?.predicted ?? 0.5
    const [longest, ...others] = teams.flat()
    if (longest === undefined) return
    const oldest = others.reduce((first, one) => (one.enteredAt < first.enteredAt ? one : first), longest)
    const size = teams[0]?.length ?? 1
    this.matches.push({
      ...{ predicted, chance, isFirstWinner, season: this.seasons },
      couldBeEven: isEven(predicted) || couldBeEven(rating, oldest, before, size),
      players: counted.teams.flatMap((team, at) =>
        team.players.map(({ mu, sigma }, place) => this.atMatch({ mu, sigma }, teams[at]?.[place])),
      ),
    })
    for (const player of teams.flat()) {
      player.played++
      this.idle.push(player)
    }
    this.tell(this.matches.length)
    await this.startSeasonIfDue()
  }

  private atMatch(rated: Pick<PlayerAtMatch, 'mu' | 'sigma'>, player: TrialPlayer | undefined): PlayerAtMatch {
    return { ...rated, skill: player?.skill ?? 0, played: player?.played ?? 0 }
  }

  private takeFromQueue(playerId: string): TrialPlayer {
    const player = this.waiting.get(playerId)
    if (player === undefined) throw new Error(`${playerId} has a match without waiting for one`)
    this.waiting.delete(playerId)
    return player
  }

  private async startSeasonIfDue(): Promise<void> {
    const { seasonEvery, keep, matches } = this.settings
    const played = this.matches.length
    if (seasonEvery === undefined || played % seasonEvery !== 0 || played >= matches) return
    this.seasons++
    await this.service.startSeason(`Season ${this.seasons}`, keep)
  }

  private noMatches(): ConfigurationError {
    const { length: played } = this.matches
    return new ConfigurationError(
      `the trial stopped after ${played} matches: all ${this.players.length} players wait, and the rules of the queue let nobody play; loosen a rule with waiting, for instance with {"after_seconds": 60, "off": true}`,
    )
  }
}
