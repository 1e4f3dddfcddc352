import { type Asked, before, type Fixtures } from '../../gallery/fixtures'
import { RATINGS } from '../../gallery/samples-of-ratings'

const [FIRST] = RATINGS

const NAMES = ['ann', 'bob', 'cleo', 'dmitri', 'emre', 'faye', 'goro', 'hana', 'ines', 'jonas', 'kaito', 'lena']

const STANDINGS = Array.from({ length: 50 }, (_, at) => {
  const sigma = 1.1 + (at % 7) * 0.35
  const mu = 41.2 - at * 0.55
  return {
    player_id: at === 3 ? 'مرحبا‮ exe.gnp' : at === 6 ? 'x'.repeat(128) : `${NAMES[at % NAMES.length]}-${at}`,
    rating_id: 'ranked',
    season: 'Spring 2026',
    mu,
    sigma,
    value: Math.round(1_500 + (500 * (mu - 25)) / 8.333),
    matches: 412 - at * 7,
    placed: true,
    rank: at + 1,
    updated_at: before(200 + at * 911),
  }
})

const placementOf = (isEmpty: boolean) => ({
  total: isEmpty ? 0 : 12,
  limit: 25,
  has_more: false,
  data: isEmpty
    ? []
    : STANDINGS.slice(30, 42).map((one, at) => ({ ...one, matches: at % 5, sigma: 7, placed: false, rank: null })),
})

const boardOf = ({ query, isEmpty }: Asked) => {
  if (query.get('placement') === 'true') return placementOf(isEmpty)
  const wanted = query.get('around')
  const data = wanted === null ? STANDINGS.slice(0, 25) : STANDINGS.slice(7, 28)
  return {
    total: isEmpty ? 0 : 4_812,
    limit: 25,
    has_more: !isEmpty && wanted === null,
    ...(isEmpty || wanted !== null ? {} : { next_cursor: 'YQ' }),
    data: isEmpty ? [] : data,
  }
}

/** Teams by bucket. Favourites win a little less often than predicted. */
const COUNTS = [3, 41, 402, 1_180, 1_934, 1_934, 1_180, 402, 41, 0]
const bucket = (at: number) => {
  const count = COUNTS[at] ?? 0
  const predicted = (at + 0.5) / 10
  const actual = at === 0 ? 0.333 : predicted + (at < 5 ? 0.03 : -0.03)
  return {
    from: at / 10,
    to: (at + 1) / 10,
    count,
    predicted: count === 0 ? null : predicted,
    actual: count === 0 ? null : actual,
  }
}

export const ratingsFixtures: Fixtures = {
  views: [
    { name: 'ratings', path: '/ratings' },
    { name: 'rating', path: '/ratings/ranked' },
    { name: 'rating-around', path: '/ratings/ranked?player=faye-17' },
    { name: 'rating-placement', path: '/ratings/ranked?list=placement' },
    { name: 'rating-seasons', path: '/ratings/ranked?show=seasons' },
    { name: 'rating-calibration', path: '/ratings/ranked?show=calibration' },
    { name: 'rating-settings', path: '/ratings/ranked?show=settings' },
  ],
  answers: {
    'GET /v1/ratings': RATINGS,
    'GET /v1/ratings/*': () => FIRST,
    'GET /v1/ratings/*/seasons': [
      { name: 'Spring 2026', keep: 0.5, started_at: before(86_400 * 12) },
      { name: 'Winter 2025', keep: 0.5, started_at: before(86_400 * 102) },
      { name: 'First season <b>', keep: 0, started_at: before(86_400 * 190) },
    ],
    'GET /v1/ratings/*/leaderboard': boardOf,
    'GET /v1/ratings/*/calibration': ({ isEmpty }: Asked) => ({
      matches: isEmpty ? 0 : 3_558,
      buckets: COUNTS.map((_, at) =>
        isEmpty ? { ...bucket(at), count: 0, predicted: null, actual: null } : bucket(at),
      ),
    }),
  },
}
