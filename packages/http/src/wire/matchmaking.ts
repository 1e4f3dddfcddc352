import { z } from '@hono/zod-openapi'
import { BACKFILL_PRIORITIES, type BackfillSettings, type QueueMatchmaking, type ReadyCheck } from '@matchyard/core'
import { PARTIAL_AFTER_SECONDS, PENALTY_SECONDS, READY_CHECK_SECONDS } from '@matchyard/core/domain'
import { MAX_MATCH_PLAYERS } from '@matchyard/matchmaking'
import { backfillSeconds } from './backfill'
import { buildName } from './build'
import { given, mirrorOf, plain, required, rowOf } from './codec/index'
import { matchRule } from './match-rule'
import { flag, oneOf, seconds, wholeIn } from './shared'

const count = wholeIn({ min: 1, max: MAX_MATCH_PLAYERS })
const sizeDifference = wholeIn({ min: 0, max: MAX_MATCH_PLAYERS })
const { min, max } = PARTIAL_AFTER_SECONDS

const backfill = mirrorOf<BackfillSettings>()(
  {
    automatic: given(
      plain(flag.body.openapi({ default: false })),
      'A running match that is left short asks by itself.',
    ),
    priority: given(
      plain(
        z.enum(BACKFILL_PRIORITIES, `must be one of ${BACKFILL_PRIORITIES.join(', ')}`).openapi({ default: 'after' }),
      ),
      'Open seats are served before new matches are made, or from what those leave.',
    ),
    timeoutSeconds: given(backfillSeconds, 'After so long a request is given up; 300 unless said.'),
  },
  'BackfillSettings',
  'Whether open seats of running matches are filled, and when.',
)

const readyCheck = mirrorOf<ReadyCheck>()(
  {
    timeoutSeconds: required(wholeIn(READY_CHECK_SECONDS), 'They have so many seconds to answer.'),
    penaltySeconds: given(
      wholeIn(PENALTY_SECONDS),
      'Who declined or did not answer may not search for so many seconds; 0 unless said.',
    ),
  },
  'ReadyCheck',
  'How players are asked before a match is made.',
)

/** Fields that were left out stay out. */
export const matchmaking = mirrorOf<Omit<QueueMatchmaking, 'serverRegion'>>()(
  {
    teams: given(count, 'So many teams play; 2 unless said.'),
    playersPerTeam: given(count, 'So many players has each team; 1 unless said.'),
    minPlayersPerTeam: given(
      count,
      'A team may play with so few, once somebody has waited for `partial_after`; `players_per_team` unless said.',
    ),
    minTeams: given(count, 'So few teams may play, once somebody has waited for `partial_after`; `teams` unless said.'),
    maxSizeDifference: given(
      plain(sizeDifference.body.nullable()),
      'Largest difference in players between the largest and the smallest team of a short match; 0 demands equal teams. Null, or left out: any number.',
    ),
    teamComposition: given(
      plain(z.record(z.string(), z.record(z.string(), z.number()))),
      'Roles by team, and how many players of each.',
    ),
    useVersionFromState: given(
      flag,
      'Whether only players with the same `game_version` in their states meet; `false` unless said.',
    ),
    allowedVersions: given(rowOf(plain(buildName.body)), 'The versions that may search.'),
    timeoutSeconds: given(
      seconds,
      "After so long a search is given up; the smaller of this and the queue's own counts.",
    ),
    readyCheck: given(
      readyCheck,
      'How players are asked before a match is made; where it is left out nobody is asked.',
    ),
    maxPartySize: given(count, 'Largest number of players who search together; default: the size of the largest team.'),
    partialAfterSeconds: given(
      plain(z.number().min(min).max(max)),
      'So many seconds somebody must have waited before fewer players or teams than a full match are enough; 5 unless said.',
    ),
    expansionAge: given(
      oneOf(['oldest', 'newest']),
      'Whose waiting loosens the rules of a match: that of who waits longest (`oldest`, unless said), or of who came last (`newest`).',
    ),
    rules: given(rowOf(matchRule), 'What must be so between players who meet.'),
    backfill: given(backfill, 'How running matches get newcomers for their open seats.'),
  },
  'Matchmaking',
  'Who is matched with whom.',
)
