import type { Fixtures } from '../../gallery/fixtures'

export const matchesFixtures: Fixtures = {
  views: [{ name: 'matches', path: '/matches' }],
  answers: {},
}
