import { z } from '@hono/zod-openapi'
import { answerOf, listOf, nullable, plain, required } from './codec/index'
import type { QueueExplanation } from './core-types'
import { number, oneOf, string, whole } from './shared'

const rule = answerOf<QueueExplanation['rules'][number]>()({
  type: required('type', string, "The rule's type."),
  field: required('field', string, 'The field of player states that it compares.'),
  passing: required('passing', whole, 'So many suit by this rule.'),
  failing: required('failing', whole, 'So many do not.'),
})

const missingPlace = answerOf<QueueExplanation['missing'][number]>()({
  team: required('team', string, 'The team.'),
  role: required('role', nullable(string), 'The role in it; null where the queue has none.'),
  players: required('players', whole, 'So many players are missing.'),
})

const sampled = z.int().openapi({
  description:
    'How many of the other waiting parties were looked at. Up to 256 of them all are; of more, or of very large ones, some that were chosen by chance, and the counts are scaled up to all: a share is then right within 7 points, 19 times of 20. The others are as they were within the last second.',
})

const estimatedWait = z
  .number()
  .nullable()
  .openapi({ description: 'The median that parties of this size waited in the last hour, within a tenth.' })

const held = oneOf(['proposal', 'plan_limit'])

export const queueExplanation = answerOf<QueueExplanation>()(
  {
    lobby_id: required('lobbyId', string, 'The lobby.'),
    waited_seconds: required('waitedSeconds', number, 'For so many seconds already.'),
    rules: required(
      'rules',
      listOf(rule),
      'For each rule of the queue, how many other waiting parties pass and fail it.',
    ),
    fitting_all: required('fittingAll', whole, 'So many suit by every rule.'),
    sampled: required('sampled', plain(sampled)),
    missing: required('missing', listOf(missingPlace), 'Seats for which nobody is there yet.'),
    max_size_difference: required(
      'maxSizeDifference',
      nullable(whole),
      'So many players the sides may differ by, where this alone keeps the lobby and those that suit it from a short match; else null.',
    ),
    next_relaxation_seconds: required(
      'nextRelaxationSeconds',
      nullable(number),
      'A rule loosens in so many seconds; null where none will.',
    ),
    estimated_wait_seconds: required('estimatedWaitSeconds', plain(estimatedWait)),
    held_by: required(
      'heldBy',
      nullable(held),
      'What keeps the lobby whoever else waits: `proposal`, its players are being asked; `plan_limit`, the account runs as many servers as its plan allows. Null where nothing does.',
    ),
  },
  'QueueExplanation',
  'Why a lobby still waits.',
)
