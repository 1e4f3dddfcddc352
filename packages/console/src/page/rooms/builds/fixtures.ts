import type { Fixtures } from '../../gallery/fixtures'

export const buildsFixtures: Fixtures = {
  views: [{ name: 'builds', path: '/builds' }],
  answers: {},
}
