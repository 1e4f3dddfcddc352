import { EXIT_REASONS, type FoundPlayer, type PlayerExit } from '@matchyard/core'
import { answerOf, instant, listOf, longListOf, required } from './codec/index'
import { lobby } from './lobby'
import { match } from './match'
import { flag, oneOf, string } from './shared'

const exit = answerOf<PlayerExit>()(
  {
    reason: required(oneOf(EXIT_REASONS), 'What happened.'),
    detail: required(string, 'A sentence for a developer.'),
    at: required(instant, 'When.'),
    lobbyId: required(string, 'The lobby.'),
    queueId: required(string, 'The queue that it was in.'),
  },
  'PlayerExit',
  'How a lobby of a player came back to `waiting`.',
)

export const foundPlayer = answerOf<FoundPlayer>()(
  {
    playerId: required(string, 'The player.'),
    lobbies: required(longListOf(lobby), 'Where the player is now, the newest first.'),
    matches: required(longListOf(match), 'What the player played last, the newest first: at most 20.'),
    lastExits: required(listOf(exit), "How the player's lobbies came back to `waiting`, the last first: at most 20."),
    hasMore: required(flag, 'Whether there are more lobbies or matches than are told.'),
  },
  'FoundPlayer',
  'What is known of a player.',
)
