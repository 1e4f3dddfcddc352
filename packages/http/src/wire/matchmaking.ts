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
      'Whether the service requests players by itself when a player leaves a running match.',
    ),
    priority: given(
      plain(
        z.enum(BACKFILL_PRIORITIES, `must be one of ${BACKFILL_PRIORITIES.join(', ')}`).openapi({ default: 'after' }),
      ),
      'Whether open seats are filled before new matches are made, or with the players whom new matches leave.',
    ),
    timeoutSeconds: given(backfillSeconds, 'Seconds after which a request expires; 300 by default.'),
  },
  'BackfillSettings',
  'Whether and how open seats of running matches are filled.',
)

const readyCheck = mirrorOf<ReadyCheck>()(
  {
    timeoutSeconds: required(wholeIn(READY_CHECK_SECONDS), 'Seconds for an answer.'),
    penaltySeconds: given(
      wholeIn(PENALTY_SECONDS),
      'Seconds for which a player who declined or did not answer may not search; 0 by default.',
    ),
  },
  'ReadyCheck',
  'Ready check before a match is made.',
)

/** Codec of matchmaking settings. Absent fields stay absent. */
export const matchmaking = mirrorOf<Omit<QueueMatchmaking, 'serverRegion'>>()(
  {
    teams: given(count, 'Number of teams; 2 by default.'),
    playersPerTeam: given(count, 'Number of players in each team; 1 by default.'),
    minPlayersPerTeam: given(
      count,
      'Minimum number of players in a team after a party has waited for `partial_after`; `players_per_team` by default.',
    ),
    minTeams: given(count, 'Minimum number of teams after a party has waited for `partial_after`; `teams` by default.'),
    maxSizeDifference: given(
      plain(sizeDifference.body.nullable()),
      'Maximum difference in players between the largest and the smallest team of a match that is not full; 0 requires equal teams. Null or absent: no maximum.',
    ),
    teamComposition: given(
      plain(z.record(z.string(), z.record(z.string(), z.number()))),
      'Roles of each team, with the number of players of each role.',
    ),
    useVersionFromState: given(
      flag,
      'Whether only players with the same `game_version` in their states are matched; `false` by default.',
    ),
    allowedVersions: given(rowOf(plain(buildName.body)), 'Game versions that may search.'),
    timeoutSeconds: given(
      seconds,
      "Seconds after which a search ends; the smaller of this value and the queue's applies.",
    ),
    readyCheck: given(readyCheck, 'Ready check before a match is made; without it players are not asked.'),
    maxPartySize: given(
      count,
      'Maximum number of players in one lobby that searches; by default the size of the largest team.',
    ),
    partialAfterSeconds: given(
      plain(z.number().min(min).max(max)),
      'Seconds that a party must have waited before a match may have fewer players or teams; 5 by default.',
    ),
    expansionAge: given(
      oneOf(['oldest', 'newest']),
      'Party whose waiting time relaxes the rules of a match: the one that waits longest (`oldest`, the default) or the last one (`newest`).',
    ),
    rules: given(rowOf(matchRule), 'Rules that the players of a match must pass.'),
    lateJoin: given(
      plain(flag.body.openapi({ default: false })),
      'Whether an open seat of a running match can be kept for a player, who then joins without a search.',
    ),
    backfill: given(backfill, 'Filling of open seats in running matches.'),
  },
  'Matchmaking',
  'Matchmaking rules and team sizes.',
)
