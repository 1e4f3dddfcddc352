import { answerOf, listOf, nullable, required } from './codec/index'
import type { QueueExplanation } from './core-types'
import { number, oneOf, string, whole } from './shared'

const rule = answerOf<QueueExplanation['rules'][number]>()({
  type: required(string, "The rule's type."),
  field: required(string, 'The field of player states that it compares.'),
  passing: required(whole, 'So many suit by this rule.'),
  failing: required(whole, 'So many do not.'),
})

const missingPlace = answerOf<QueueExplanation['missing'][number]>()({
  team: required(string, 'The team.'),
  role: required(nullable(string), 'The role in it; null where the queue has none.'),
  players: required(whole, 'So many players are missing.'),
})

export const queueExplanation = answerOf<QueueExplanation>()(
  {
    lobbyId: required(string, 'The lobby.'),
    waitedSeconds: required(number, 'For so many seconds already.'),
    rules: required(listOf(rule), 'For each rule of the queue, how many other waiting parties pass and fail it.'),
    fittingAll: required(whole, 'So many suit by every rule.'),
    sampled: required(
      whole,
      'How many of the other waiting parties were looked at. Up to 256 of them all are; of more, or of very large ones, some that were chosen by chance, and the counts are scaled up to all: a share is then right within 7 points, 19 times of 20. The others are as they were within the last second.',
    ),
    missing: required(listOf(missingPlace), 'Seats for which nobody is there yet.'),
    maxSizeDifference: required(
      nullable(whole),
      'So many players the sides may differ by, where this alone keeps the lobby and those that suit it from a short match; else null.',
    ),
    nextRelaxationSeconds: required(nullable(number), 'A rule loosens in so many seconds; null where none will.'),
    estimatedWaitSeconds: required(
      nullable(number),
      'The median that parties of this size waited in the last hour, within a tenth.',
    ),
    heldBy: required(
      nullable(oneOf(['proposal', 'plan_limit'])),
      'What keeps the lobby whoever else waits: `proposal`, its players are being asked; `plan_limit`, the account runs as many servers as its plan allows. Null where nothing does.',
    ),
  },
  'QueueExplanation',
  'Why a lobby still waits.',
)
