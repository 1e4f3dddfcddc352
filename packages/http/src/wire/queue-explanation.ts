import { HELD_BY } from '@matchyard/core'
import { answerOf, listOf, nullable, required } from './codec/index'
import type { QueueExplanation } from './core-types'
import { number, oneOf, sentence, string, whole } from './shared'

const rule = answerOf<QueueExplanation['rules'][number]>()({
  type: required(string, 'Type of the rule.'),
  field: required(nullable(string), "Field in the players' states; null for a rule that reads none."),
  passing: required(whole, 'Number of parties that pass the rule.'),
  failing: required(whole, 'Number of parties that fail the rule.'),
})

const missingPlace = answerOf<QueueExplanation['missing'][number]>()({
  team: required(string, 'The team.'),
  role: required(nullable(string), 'Role in the team; null when the queue has no roles.'),
  players: required(whole, 'Number of missing players.'),
})

export const queueExplanation = answerOf<QueueExplanation>()(
  {
    lobbyId: required(string, 'The lobby.'),
    waitedSeconds: required(number, 'Seconds since the search began.'),
    rules: required(listOf(rule), 'Numbers of other waiting parties that pass and fail each rule of the queue.'),
    fittingAll: required(whole, 'Number of parties that pass every rule.'),
    sampled: required(
      whole,
      'How many of the other waiting parties were looked at. Up to 256 of them all are; of more, or of very large ones, some that were chosen by chance, and the counts are scaled up to all: a share is then right within 7 points, 19 times of 20. The others are as they were within the last second.',
    ),
    missing: required(listOf(missingPlace), 'Seats without a matching player.'),
    maxSizeDifference: required(
      nullable(whole),
      'Allowed difference in team sizes, if only this setting prevents a short match of the lobby with its matching parties; else null.',
    ),
    nextRelaxationSeconds: required(nullable(number), 'Seconds until a rule relaxes next; null when none will.'),
    estimatedWaitSeconds: required(
      nullable(number),
      'Median wait of parties of this size in the last hour, in seconds, accurate to 10 %.',
    ),
    heldBy: required(
      nullable(oneOf(HELD_BY)),
      'Cause that holds the lobby independently of other parties: `proposal` (its players are being asked), `elsewhere` (a player is in a match of another search), `absent` (none of its players was heard for the presence timeout) or `plan_limit` (the account runs as many servers as its plan allows). Else null.',
    ),
    warnings: required(
      listOf(sentence),
      "Clauses about regions of the lobby's players in which no machine runs servers, for example `no machine serves ams`; empty without such regions.",
    ),
  },
  'QueueExplanation',
  'Why a lobby still waits.',
)
