import { createMatchyard, type JsonObject, type Match, type Matchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { TrialClock, trialPlatform } from './platform'
import type { RatedSkill, TrialPlayer } from './players'
import type { TrialSettings } from './settings'

const [QUEUE, RATING] = ['trial', 'trial']
/** Seconds until a search ends: longer than usual trials, because synthetic players do not give up. */
const PATIENCE_SECONDS = 1_000_000

type TrialRow = Awaited<ReturnType<ReturnType<Matchyard['project']>['ratings']['set']>>

/** Returns the skill that the rating has written into the state of a player, with the precision of the displayed number. */
function skillShownIn({ display, initial }: TrialRow, state: JsonObject, field: string): RatedSkill {
  const points = (of: string, otherwise: number) => (typeof state[of] === 'number' ? state[of] : otherwise)
  const perPoint = initial.sigma / display.perSigma
  return {
    mu: initial.mu + (points(field, display.base) - display.base) * perPoint,
    sigma: points(`${field}_uncertainty`, display.perSigma) * perPoint,
  }
}

type RunningMatch = Pick<Match, 'id' | 'teams'>

/** Service of a trial: the embedded service on storage in memory, with one queue and its rating. */
export type TrialService = Awaited<ReturnType<typeof openTrialService>>

/** Opens the service of a trial. Rejects with `VALIDATION_FAILED` for a rating or a queue that the service refuses. */
export async function openTrialService(settings: TrialSettings) {
  const { model, beta, tau, matchmaking, ratingField, seed } = settings
  const clock = new TrialClock()
  const matchyard = createMatchyard({ storage: memoryStorage(), ...trialPlatform(clock, seed) })
  await matchyard.open()
  const game = matchyard.project((await matchyard.projects.ensure({ name: 'Trial' })).id)
  // The service checks the name of the model, and refuses an unknown one with a sentence.
  const rating = await game.ratings.set({
    ...{ ratingId: RATING, name: 'Trial' },
    params: { ...(beta === undefined ? {} : { beta }), ...(tau === undefined ? {} : { tau }) },
    ...(model === undefined ? {} : { model: model as 'plackettLuce' }),
  })
  await game.queues.ensure({
    ...{ queueId: QUEUE, name: 'Trial', rating: RATING, ratingField, matchmaking },
    ...{ timeoutSeconds: PATIENCE_SECONDS, presenceTimeoutSeconds: 0 },
  })

  const ratedSkill = async ({ playerId }: TrialPlayer): Promise<RatedSkill> =>
    (await game.ratings.ofPlayer({ playerId })).data[0] ?? rating.initial

  const running = async (): Promise<RunningMatch[]> => {
    const found: RunningMatch[] = []
    for (let cursor: string | undefined; ; ) {
      const of = { queueId: QUEUE, status: 'running', ...(cursor === undefined ? {} : { cursor }) } as const
      const { data, nextCursor } = await game.matches.list(of)
      found.push(...data.map(({ match }) => match))
      if (nextCursor == null) return found
      cursor = nextCursor
    }
  }

  return {
    clock,
    rating,
    ratedSkill,
    /** Enters the queue with the player's lobby; the first entry creates it. */
    async enter(player: TrialPlayer): Promise<void> {
      const { playerId } = player
      if (player.lobbyId === '') player.lobbyId = (await game.lobbies.create({ queueId: QUEUE, playerId })).id
      const { players } = await game.lobbies.enqueue({ lobbyId: player.lobbyId, playerId })
      player.rated = skillShownIn(rating, players[0]?.state ?? {}, ratingField)
      player.enteredAt = clock.now()
    },
    /** Whether the player searches, or a match of the last tick has the player. */
    isSearching: async ({ lobbyId, playerId }: TrialPlayer): Promise<boolean> =>
      (await game.lobbies.get({ lobbyId, playerId, backend: true })).status !== 'waiting',
    /** Runs one tick of matchmaking. Returns the matches that run now, and the instant of the next tick. */
    async tick(): Promise<{ readonly matches: readonly RunningMatch[]; readonly dueAt: number | undefined }> {
      const { matches, dueAt } = await matchyard.matchmaking.runQueue(`${game.id}/${QUEUE}`)
      if (matches === 0) return { matches: [], dueAt }
      await matchyard.worker.runDueJobs()
      return { matches: await running(), dueAt }
    },
    /** Ends a match with its winner. Returns the match as the rating counted it. */
    async end({ id: matchId, teams }: RunningMatch, winner: number): Promise<NonNullable<Match['counted']>> {
      const ranked = teams.map(({ name }, team) => ({ name, rank: team === winner ? 1 : 2 }))
      const { match } = await game.matches.end({ matchId, result: { teams: ranked } })
      if (match.counted === undefined) throw new Error(`the match ${matchId} was not counted`)
      return match.counted
    },
    async startSeason(name: string, keep: number): Promise<void> {
      await game.ratings.startSeason({ ratingId: RATING, name, keep })
    },
    stop: () => matchyard.stop(),
  }
}
