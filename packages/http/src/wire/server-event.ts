import { z } from '@hono/zod-openapi'
import type { JsonObject } from '@matchyard/core'
import type { AnswerCodec } from './codec/index'
import { isoOf } from './codec/iso'
import type { ServerMessage } from './core-types'

// As the configuration file spells it: core writes that by itself, and this tells of the same thing (ADR 0070).
const teams = z
  .array(
    z.object({
      name: z.string(),
      players: z.array(
        z.object({
          player_id: z.string(),
          lobby_id: z.string(),
          role: z.string().nullable(),
          state: z.record(z.string(), z.unknown()),
        }),
      ),
    }),
  )
  .openapi({ description: 'Those who play now.' })

const matchVersion = z.int().nullable().openapi({ description: 'null for a server that is for no match.' })

/** The data of what a game server is told of itself: `match_updated`, `stopping`. */
export const serverEvent: AnswerCodec<ServerMessage> = {
  answer: z.union([
    z.object({ match_version: z.int(), teams }),
    z.object({ deadline: z.string().openapi({ format: 'date-time' }) }),
  ]),
  encode: (message) =>
    message.event === 'stopping'
      ? { deadline: isoOf(message.deadline) }
      : { match_version: message.id, teams: message.teams },
}

/** What a game server finds in its configuration file, as it is now. */
export const serverConfiguration: AnswerCodec<JsonObject> = {
  answer: z
    .looseObject({ instance_id: z.string(), match_id: z.string().nullable(), match_version: matchVersion, teams })
    .openapi('ServerConfiguration', { description: 'All that the configuration file holds, as it is now.' }),
  encode: (configuration) => configuration,
}
