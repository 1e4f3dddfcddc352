import type { Fixtures } from '../../gallery/fixtures'

export const serversFixtures: Fixtures = {
  views: [{ name: 'servers', path: '/servers' }],
  answers: {},
}
