import type { MatchSnapshot } from '@matchyard/client'
import { before, type Fixtures } from '../../gallery/fixtures'
import { MATCHES } from '../../gallery/samples'

const [FIRST] = MATCHES

/** Returns the match with a result: amended, with figures of players, with a player who left, and with an erased one. */
const withResult = (match: MatchSnapshot): MatchSnapshot => ({
  ...match,
  result: {
    teams: match.teams.map(({ name }, at) => ({ name, rank: at + 1, score: 16 - 7 * at })),
    players: [
      ...match.teams.flatMap(({ players }, at) =>
        players.map(({ player_id }) => ({
          ...{ player_id, score: 21 - 15 * at, left: at === 1 },
          ...(at === 0 && { stats: { kills: 21, deaths: 4, note: '<b>first blood</b>', weapon: 'longbow' } }),
        })),
      ),
      { player_id: '', score: 2, left: false },
    ],
    completed: true,
    recorded_by: 'backend',
    recorded_at: before(900),
    amended_at: before(240),
  },
})

/** Matches of the gallery with the predictions of their rating. The second match that ended has a result. */
const SHOWN = MATCHES.map((match, at) => ({
  ...(at === 10 ? withResult(match) : match),
  ...(match.queue_id === 'ranked' && { quality: { win_probability: [0.62, 0.38] } }),
}))

export const matchesFixtures: Fixtures = {
  views: [
    { name: 'matches', path: '/matches' },
    { name: 'matches-search', path: '/matches?show=past&hours=24' },
    { name: 'match', path: `/matches/${FIRST?.match_id}` },
    { name: 'match-result', path: `/matches/${SHOWN[10]?.match_id}` },
  ],
  answers: {
    'GET /v1/matches': SHOWN,
    'GET /v1/matches/*': ({ path }: { readonly path: string }) =>
      SHOWN.find(({ match_id }) => path.endsWith(match_id)) ?? FIRST,
  },
}
