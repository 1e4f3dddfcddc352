import { z } from '@hono/zod-openapi'
import type { JsonObject } from '@matchyard/core'
import { type AnswerCodec, component, dateTime, described } from './codec/index'
import { isoOf } from './codec/iso'
import type { ServerMessage } from './core-types'

// As the configuration file spells it: core writes that by itself, and this tells of the same thing (ADR 0070).
const teams = z
  .array(
    z.object({
      name: described(z.string(), "The team's name."),
      players: described(
        z.array(
          z.object({
            player_id: described(z.string(), 'The player.'),
            lobby_id: described(z.string(), 'The lobby from which the player came.'),
            role: described(z.string().nullable(), 'The role in the team; null where the queue has none.'),
            state: described(
              z.record(z.string(), z.unknown()),
              "The player's own: what rules compare, and what else the game keeps there.",
            ),
          }),
        ),
        'Who plays in it now.',
      ),
    }),
  )
  .openapi({ description: 'Those who play now.' })

const matchVersion = z
  .int()
  .nullable()
  .openapi({ description: 'Grows with every change of the match; null for a server that is for none.' })

/** Data of the events for a game server: `match_updated`, `stopping`. */
export const serverEvent: AnswerCodec<ServerMessage> = {
  answer: z.union([
    z.object({ match_version: described(z.int(), 'Grows with every change of the match.'), teams }),
    z.object({ deadline: described(dateTime, 'The server is ended then, whatever it is doing.') }),
  ]),
  encode: (message) =>
    message.event === 'stopping'
      ? { deadline: isoOf(message.deadline) }
      : { match_version: message.id, teams: message.teams },
}

/** Present content of a game server's configuration file. */
export const serverConfiguration: AnswerCodec<JsonObject> = {
  answer: component(
    z.looseObject({
      instance_id: described(z.string(), 'The server.'),
      match_id: described(z.string().nullable(), 'The match that is played on it; null where it is for none.'),
      match_version: matchVersion,
      teams,
    }),
    'ServerConfiguration',
    'All that the configuration file holds, as it is now.',
  ),
  encode: (configuration) => configuration,
}
