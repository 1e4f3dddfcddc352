import type { Fixtures } from '../../gallery/fixtures'

export const queuesFixtures: Fixtures = {
  views: [{ name: 'queues', path: '/queues' }],
  answers: {},
}
