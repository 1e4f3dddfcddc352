import type { Fixtures } from '../../gallery/fixtures'

export const playgroundFixtures: Fixtures = {
  views: [{ name: 'playground', path: '/playground' }],
  answers: {},
}
