import type { Fixtures } from '../../gallery/fixtures'

export const nowFixtures: Fixtures = {
  views: [{ name: 'now', path: '/now' }],
  answers: {},
}
