import { z } from '@hono/zod-openapi'
import { answerOf, listOf, nullable, plain, required } from './codec/index'
import type { QueueExplanation } from './core-types'
import { number, oneOf, string, whole } from './shared'

const rule = answerOf<QueueExplanation['rules'][number]>()({
  type: required('type', string),
  field: required('field', string),
  passing: required('passing', whole),
  failing: required('failing', whole),
})

const missingPlace = answerOf<QueueExplanation['missing'][number]>()({
  team: required('team', string),
  role: required('role', nullable(string)),
  players: required('players', whole),
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
    lobby_id: required('lobbyId', string),
    waited_seconds: required('waitedSeconds', number),
    rules: required('rules', listOf(rule)),
    fitting_all: required('fittingAll', whole),
    sampled: required('sampled', plain(sampled)),
    missing: required('missing', listOf(missingPlace)),
    next_relaxation_seconds: required('nextRelaxationSeconds', nullable(number)),
    estimated_wait_seconds: required('estimatedWaitSeconds', plain(estimatedWait)),
    held_by: required('heldBy', nullable(held)),
  },
  'QueueExplanation',
)
