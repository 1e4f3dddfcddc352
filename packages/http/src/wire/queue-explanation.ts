import { z } from '@hono/zod-openapi'
import type { QueueExplanation } from './core-types'

export const queueExplanationSchema = z
  .object({
    lobby_id: z.string(),
    waited_seconds: z.number(),
    rules: z.array(z.object({ type: z.string(), field: z.string(), passing: z.int(), failing: z.int() })),
    fitting_all: z.int(),
    sampled: z.int().openapi({
      description:
        'How many of the other waiting parties were looked at. Up to 256 of them all are; of more, or of very large ones, some that were chosen by chance, and the counts are scaled up to all: a share is then right within 7 points, 19 times of 20. The others are as they were within the last second.',
    }),
    missing: z.array(z.object({ team: z.string(), role: z.string().nullable(), players: z.int() })),
    next_relaxation_seconds: z.number().nullable(),
    estimated_wait_seconds: z
      .number()
      .nullable()
      .openapi({ description: 'The median that parties of this size waited in the last hour, within a tenth.' }),
  })
  .openapi('QueueExplanation')

export const toQueueExplanationWire = (explanation: QueueExplanation) => ({
  lobby_id: explanation.lobbyId,
  waited_seconds: explanation.waitedSeconds,
  rules: explanation.rules.map(({ type, field, passing, failing }) => ({ type, field, passing, failing })),
  fitting_all: explanation.fittingAll,
  sampled: explanation.sampled,
  missing: explanation.missing.map(({ team, role, players }) => ({ team, role, players })),
  next_relaxation_seconds: explanation.nextRelaxationSeconds,
  estimated_wait_seconds: explanation.estimatedWaitSeconds,
})
