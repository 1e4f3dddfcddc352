import { EXIT_REASONS, type FoundPlayer, type PlayerExit } from '@matchyard/core'
import { ban } from './ban'
import { answerOf, instant, listOf, longListOf, required } from './codec/index'
import { lobby } from './lobby'
import { match } from './match'
import { flag, oneOf, string } from './shared'

const exit = answerOf<PlayerExit>()(
  {
    reason: required(oneOf(EXIT_REASONS), 'Reason of the exit.'),
    detail: required(string, 'Explanation for a developer.'),
    at: required(instant, 'Time of the exit.'),
    lobbyId: required(string, 'The lobby.'),
    queueId: required(string, 'Queue of the lobby.'),
  },
  'PlayerExit',
  "How a search or a match of a player's lobby ended: the lobby returned to `waiting`, or the player left a match that the lobby continued.",
)

export const foundPlayer = answerOf<FoundPlayer>()(
  {
    playerId: required(string, 'The player.'),
    lobbies: required(longListOf(lobby), 'Lobbies of the player, the newest first.'),
    matches: required(longListOf(match), 'Last matches of the player, the newest first; at most 20.'),
    lastExits: required(listOf(exit), "Last exits of the player's lobbies, the newest first; at most 20."),
    bans: required(listOf(ban), 'Bans of the player that are in force; at most one.'),
    hasMore: required(flag, 'Whether lobbies or matches are missing, because there are too many.'),
  },
  'FoundPlayer',
  "A player's lobbies, matches and exits.",
)
