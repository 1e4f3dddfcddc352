import type { Fixtures } from '../../gallery/fixtures'

export const settingsFixtures: Fixtures = {
  views: [{ name: 'settings', path: '/settings' }],
  answers: {},
}
