import type { Fixtures } from '../../gallery/fixtures'

export const problemsFixtures: Fixtures = {
  views: [{ name: 'problems', path: '/problems' }],
  answers: {},
}
