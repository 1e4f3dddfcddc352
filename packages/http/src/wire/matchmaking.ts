import { z } from '@hono/zod-openapi'
import { BACKFILL_PRIORITIES, type BackfillSettings, type QueueMatchmaking, type ReadyCheck } from '@matchyard/core'
import { PARTIAL_AFTER_SECONDS, PENALTY_SECONDS, READY_CHECK_SECONDS } from '@matchyard/core/domain'
import { MAX_MATCH_PLAYERS } from '@matchyard/core/matchmaking'
import { backfillSeconds } from './backfill'
import { buildName } from './build'
import { given, mirrorOf, plain, required, rowOf } from './codec/index'
import { matchRule } from './match-rule'
import { flag, oneOf, seconds, wholeIn } from './shared'

const count = wholeIn({ min: 1, max: MAX_MATCH_PLAYERS })
const { min, max } = PARTIAL_AFTER_SECONDS

const backfill = mirrorOf<BackfillSettings>()(
  {
    automatic: given(
      'automatic',
      plain(flag.body.openapi({ default: false, description: 'A running match that is left short asks by itself.' })),
    ),
    priority: given(
      'priority',
      plain(
        z.enum(BACKFILL_PRIORITIES, `must be one of ${BACKFILL_PRIORITIES.join(', ')}`).openapi({
          default: 'after',
          description: 'Open seats are served before new matches are made, or from what those leave.',
        }),
      ),
    ),
    timeout: given('timeoutSeconds', backfillSeconds),
  },
  'BackfillSettings',
)

const readyCheck = mirrorOf<ReadyCheck>()(
  {
    timeout: required('timeoutSeconds', wholeIn(READY_CHECK_SECONDS)),
    penalty: given('penaltySeconds', wholeIn(PENALTY_SECONDS)),
  },
  'ReadyCheck',
)

/** Fields that were left out stay out. */
export const matchmaking = mirrorOf<QueueMatchmaking>()(
  {
    teams: given('teams', count),
    players_per_team: given('playersPerTeam', count),
    min_players_per_team: given('minPlayersPerTeam', count),
    min_teams: given('minTeams', count),
    team_composition: given('teamComposition', plain(z.record(z.string(), z.record(z.string(), z.number())))),
    use_version_from_state: given('useVersionFromState', flag),
    allowed_versions: given('allowedVersions', rowOf(plain(buildName.body))),
    timeout: given('timeoutSeconds', seconds),
    ready_check: given('readyCheck', readyCheck),
    max_party_size: given('maxPartySize', count),
    partial_after: given(
      'partialAfterSeconds',
      plain(z.number().min(min).max(max).openapi({ description: 'Seconds; default 5.' })),
    ),
    expansion_age: given('expansionAge', oneOf(['oldest', 'newest'])),
    rules: given('rules', rowOf(matchRule)),
    backfill: given('backfill', backfill),
  },
  'Matchmaking',
)
