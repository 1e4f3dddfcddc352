import type { Fixtures } from '../../gallery/fixtures'
import { MATCHES } from '../../gallery/samples'

const [FIRST] = MATCHES

export const matchesFixtures: Fixtures = {
  views: [
    { name: 'matches', path: '/matches' },
    { name: 'match', path: `/matches/${FIRST?.match_id}` },
  ],
  answers: {
    'GET /v1/matches': MATCHES,
    'GET /v1/matches/*': ({ path }: { readonly path: string }) =>
      MATCHES.find(({ match_id }) => path.endsWith(match_id)) ?? FIRST,
  },
}
