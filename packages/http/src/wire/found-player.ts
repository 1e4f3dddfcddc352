import {
  type Ban,
  EXIT_REASONS,
  type FoundPlayer,
  HELD_BY,
  type LiveMatch,
  MATCH_STATUSES,
  type OwnSearch,
  type PlayerExit,
} from '@matchyard/core'
import { ban } from './ban'
import { answerOf, instant, listOf, longListOf, nullable, required } from './codec/index'
import { lobby } from './lobby'
import { match } from './match'
import { standing } from './rating'
import { serverSummary } from './server-summary'
import { flag, oneOf, sentence, string } from './shared'

const exit = answerOf<PlayerExit>()(
  {
    reason: required(oneOf(EXIT_REASONS), 'Reason of the exit.'),
    detail: required(sentence, 'Explanation for a developer.'),
    at: required(instant, 'Time of the exit.'),
    lobbyId: required(string, 'The lobby.'),
    queueId: required(string, 'Queue of the lobby.'),
  },
  'PlayerExit',
  "How a search or a match of a player's lobby ended: the lobby returned to `waiting`, or the player left a match that the lobby continued.",
)

const liveMatch = answerOf<LiveMatch>()(
  {
    matchId: required(string, 'The match.'),
    queueId: required(string, 'Queue of the match.'),
    lobbyId: required(string, 'Lobby with which the player is in the match.'),
    status: required(oneOf(MATCH_STATUSES), 'Status of the match.'),
    server: required(nullable(serverSummary), 'Server of the match; null without one.'),
  },
  'LiveMatch',
  'A match that has not ended and that keeps its players out of other matches.',
)

const search = answerOf<OwnSearch>()(
  {
    lobbyId: required(string, 'Lobby that searches.'),
    queueId: required(string, 'Queue of the lobby.'),
    enteredAt: required(instant, 'Time at which the lobby entered the queue.'),
    heldBy: required(
      nullable(oneOf(HELD_BY)),
      'Cause that holds the search, as in `GET /v1/lobbies/{lobby_id}/queue`; else null.',
    ),
  },
  'PlayerSearch',
  'A lobby of the player that searches for a match.',
)

const cooldown = answerOf<FoundPlayer['cooldowns'][number]>()(
  {
    queueId: required(string, 'The queue.'),
    until: required(instant, 'Time from which the player may enter the queue again.'),
  },
  'PlayerCooldown',
  'A queue that the player may not enter yet.',
)

const record = {
  playerId: required(string, 'The player.'),
  liveMatch: required(nullable(liveMatch), 'Match that keeps the player out of other matches; null without one.'),
  searches: required(listOf(search), 'Lobbies of the player that search for a match, the longest search first.'),
  cooldowns: required(listOf(cooldown), 'Queues that the player may not enter yet; the first 100 queues are examined.'),
  lobbies: required(longListOf(lobby), 'Lobbies of the player, the newest first.'),
  matches: required(longListOf(match), 'Last matches of the player, the newest first; at most 20.'),
  lastExits: required(listOf(exit), "Last exits of the player's lobbies, the newest first; at most 20."),
  ratings: required(listOf(standing), 'Standings of the player in the present seasons, by rating id.'),
  hasMore: required(flag, 'Whether lobbies or matches are missing, because there are too many.'),
} as const

const bansSaid = 'Bans of the player that are in force; at most one.'

export const foundPlayer = answerOf<FoundPlayer>()(
  { ...record, bans: required(listOf(ban), bansSaid) },
  'FoundPlayer',
  "A player's live match, searches, lobbies, matches, exits and bans.",
)

const ownBan = answerOf<Ban>()(
  {
    reason: required(nullable(string), 'Reason of the ban.'),
    until: required(nullable(instant), 'End of the ban; null for a ban without an end.'),
    queues: required(nullable(listOf(string)), 'Queues that the player may not enter; null for the whole project.'),
    createdAt: required(instant, 'Time at which the ban began.'),
  },
  'OwnBan',
  'A ban, as the banned player sees it.',
)

export const ownPlayer = answerOf<FoundPlayer>()(
  { ...record, bans: required(listOf(ownBan), bansSaid) },
  'OwnPlayer',
  "The calling player's live match, searches, lobbies, matches, exits and bans.",
)
