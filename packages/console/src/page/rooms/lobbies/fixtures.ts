import type { Fixtures } from '../../gallery/fixtures'

export const lobbiesFixtures: Fixtures = {
  views: [{ name: 'lobbies', path: '/lobbies' }],
  answers: {},
}
