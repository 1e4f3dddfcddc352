import { EXIT_REASONS, type FoundPlayer, type PlayerExit } from '@matchyard/core'
import { answerOf, instant, listOf, longListOf, required } from './codec/index'
import { lobby } from './lobby'
import { match } from './match'
import { flag, oneOf, string } from './shared'

const exit = answerOf<PlayerExit>()(
  {
    reason: required('reason', oneOf(EXIT_REASONS), 'What happened.'),
    detail: required('detail', string, 'A sentence for a developer.'),
    at: required('at', instant, 'When.'),
    lobby_id: required('lobbyId', string, 'The lobby.'),
    queue_id: required('queueId', string, 'The queue that it was in.'),
  },
  'PlayerExit',
  'How a lobby of a player came back to `waiting`.',
)

export const foundPlayer = answerOf<FoundPlayer>()(
  {
    player_id: required('playerId', string, 'The player.'),
    lobbies: required('lobbies', longListOf(lobby), 'Where the player is now, the newest first.'),
    matches: required('matches', longListOf(match), 'What the player played last, the newest first: at most 20.'),
    last_exits: required(
      'lastExits',
      listOf(exit),
      "How the player's lobbies came back to `waiting`, the last first: at most 20.",
    ),
    has_more: required('hasMore', flag, 'Whether there are more lobbies or matches than are told.'),
  },
  'FoundPlayer',
  'What is known of a player.',
)
