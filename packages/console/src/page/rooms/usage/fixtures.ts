import type { Fixtures } from '../../gallery/fixtures'

export const usageFixtures: Fixtures = {
  views: [{ name: 'usage', path: '/usage' }],
  answers: {},
}
