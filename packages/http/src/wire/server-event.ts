import { z } from '@hono/zod-openapi'
import type { JsonObject } from '@matchyard/core'
import { type AnswerCodec, component, dateTime, described } from './codec/index'
import { isoOf } from './codec/iso'
import type { ServerMessage } from './core-types'

// The configuration file of a game server has the same form; the core writes that file itself (ADR 0070).
const teams = z
  .array(
    z.object({
      name: described(z.string(), 'Name of the team.'),
      players: described(
        z.array(
          z.object({
            player_id: described(z.string(), 'The player.'),
            lobby_id: described(z.string(), 'Lobby of the player.'),
            role: described(z.string().nullable(), 'Role in the team; null when the queue has no roles.'),
            state: described(
              z.record(z.string(), z.unknown()),
              'State of the player: the fields that rules compare, and other data of the game.',
            ),
          }),
        ),
        'Present players of the team.',
      ),
    }),
  )
  .openapi({ description: 'Teams with the present players.' })

const matchVersion = z
  .int()
  .nullable()
  .openapi({ description: 'Version of the match; null for a server without a match.' })

/** Codec of the data of events for a game server: `match_updated`, `stopping`. */
export const serverEvent: AnswerCodec<ServerMessage> = {
  answer: z.union([
    z.object({ match_version: described(z.int(), 'Version of the match; grows with each change.'), teams }),
    z.object({ deadline: described(dateTime, 'Deadline at which the server is killed.') }),
  ]),
  encode: (message) =>
    message.event === 'stopping'
      ? { deadline: isoOf(message.deadline) }
      : { match_version: message.id, teams: message.teams },
}

/** Codec of the current content of a game server's configuration file. */
export const serverConfiguration: AnswerCodec<JsonObject> = {
  answer: component(
    z.looseObject({
      instance_id: described(z.string(), 'The server.'),
      match_id: described(z.string().nullable(), 'Match of the server; null without one.'),
      match_version: matchVersion,
      teams,
    }),
    'ServerConfiguration',
    'Current content of the configuration file.',
  ),
  encode: (configuration) => configuration,
}
