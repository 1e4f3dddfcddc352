import type { Fixtures } from '../gallery/fixtures'
import { historyAnswer } from '../gallery/history'
import { BUILDS, QUEUES } from '../gallery/samples'
import { buildsFixtures } from '../rooms/builds/fixtures'
import { lobbiesFixtures } from '../rooms/lobbies/fixtures'
import { machinesFixtures } from '../rooms/machines/fixtures'
import { matchesFixtures } from '../rooms/matches/fixtures'
import { nowFixtures } from '../rooms/now/fixtures'
import { playersFixtures } from '../rooms/players/fixtures'
import { playgroundFixtures } from '../rooms/playground/fixtures'
import { problemsFixtures } from '../rooms/problems/fixtures'
import { queuesFixtures } from '../rooms/queues/fixtures'
import { ratingsFixtures } from '../rooms/ratings/fixtures'
import { serversFixtures } from '../rooms/servers/fixtures'
import { settingsFixtures } from '../rooms/settings/fixtures'
import { usageFixtures } from '../rooms/usage/fixtures'

/** Answers that most sections need. */
const common: Fixtures = {
  views: [],
  answers: {
    'GET /': { name: 'matchyard', version: '1.0.0', sign_in_codes: true, links: {} },
    'GET /v1/queues': QUEUES,
    'GET /v1/builds': BUILDS,
    'GET /v1/metrics': historyAnswer,
    'GET /v1/projects': [],
    'GET /v1/projects/*/keys': [{ key_id: 'key_1', type: 'client', name: 'My game', last4: 'x7Qa', revoked_at: null }],
  },
}

/**
 * Gallery data of all sections. If several sections have an answer for the same path, the answer of the first section
 * is used.
 */
export const FIXTURES: readonly Fixtures[] = [
  nowFixtures,
  problemsFixtures,
  queuesFixtures,
  lobbiesFixtures,
  matchesFixtures,
  playersFixtures,
  ratingsFixtures,
  serversFixtures,
  playgroundFixtures,
  buildsFixtures,
  usageFixtures,
  settingsFixtures,
  machinesFixtures,
  common,
]
