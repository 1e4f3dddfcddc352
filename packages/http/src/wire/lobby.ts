import { z } from '@hono/zod-openapi'
import {
  EXIT_REASONS,
  LOBBY_STATUSES,
  type Lobby,
  type LobbyAnswer,
  type LobbyExit,
  type LobbyPlayer,
  type LobbyProposal,
  PROPOSAL_ANSWERS,
} from '@matchyard/core'
import { LOBBY_PLAYERS, shownState } from '@matchyard/core/domain'
import { answerOf, given, instant, listOf, NAMES_OF, nullable, orNull, plain, required, told } from './codec/index'
import { serverSummary } from './server-summary'
import { flag, freeForm, oneOf, region, sentence, string } from './shared'

/** A player in the form in which its lobby shows it. */
interface Seat {
  readonly player: LobbyPlayer
  readonly isHost: boolean
}

export const player = answerOf<Seat>()(
  {
    playerId: told(string, ({ player: { playerId } }: Seat) => playerId, 'Id of the player.'),
    isHost: told(flag, ({ isHost }: Seat) => isHost, 'Whether the player is the host.'),
    joinedAt: told(instant, ({ player: { joinedAt } }: Seat) => joinedAt, 'Time at which the player joined.'),
    state: told(
      freeForm,
      // A field that is still marked as private is shown to nobody.
      ({ player }: Seat) => shownState(player),
      'State of the player: the fields that rules compare, and other data of the game.',
    ),
  },
  'Player',
  'A player in a lobby.',
)

const seats = ({ players, hostPlayerId }: Lobby): Seat[] =>
  players.map((one) => ({ player: one, isHost: one.playerId === hostPlayerId }))

const lastExit = answerOf<LobbyExit>()(
  {
    reason: required(oneOf(EXIT_REASONS), 'Reason, for programs.'),
    detail: required(sentence, 'Explanation for a developer.'),
    at: required(instant, 'Time of the exit.'),
    willRequeue: given(
      plain(z.literal(true)),
      'Whether the service puts the lobby back into its queue in a moment, after a failed launch; absent otherwise.',
    ),
  },
  'LobbyExit',
  "Reason of a lobby's return to `waiting`.",
)

const answer = answerOf<LobbyProposal['players'][number]>()({
  playerId: required(string, 'The player.'),
  answer: required(oneOf(PROPOSAL_ANSWERS), 'Answer of the player; `none` before it.'),
})

const proposal = answerOf<LobbyProposal>()(
  {
    matchId: required(string, 'Id of the proposed match.'),
    expiresAt: required(instant, 'Deadline; lobbies of players who have not answered by then return to `waiting`.'),
    needed: required(plain(z.int().min(1)), 'Number of players in the match.'),
    accepted: required(plain(z.int().min(0)), 'Number of players who have accepted.'),
    players: required(listOf(answer), 'Players of this lobby with their answers.'),
  },
  'Proposal',
  'A proposed match that its players must accept.',
)

/** Codec of a lobby for players and backends. `settings` and each `state` are copied unchanged. */
export const lobby = answerOf<LobbyAnswer>(NAMES_OF.lobby)(
  {
    id: required(string, 'Id.'),
    queueId: required(string, 'Queue of the lobby.'),
    status: required(
      oneOf(LOBBY_STATUSES),
      'Status: `waiting`; `in_queue` (it searches); `matched` or `starting` (its server starts); `in_game` (its match runs).',
    ),
    hostPlayerId: required(string, 'Player who may change, start and close the lobby.'),
    isPrivate: required(flag, 'Whether the lobby is private: not in lists, joined only by invite code.'),
    maxPlayers: required(plain(z.int().min(LOBBY_PLAYERS.min).max(LOBBY_PLAYERS.max)), 'Maximum number of players.'),
    currentPlayers: told(
      plain(z.int().min(0)),
      ({ players }: Lobby) => players.length,
      'Number of players in the lobby.',
    ),
    players: told(listOf(player), seats, 'Players in the order in which they joined.'),
    name: given(string, 'Display name in lists; absent without one.'),
    region: given(region, 'Region for a match that is started directly; absent without one.'),
    inviteCode: required(nullable(string), 'Invite code; null when the queue has no invite codes.'),
    settings: required(
      freeForm,
      'Settings of the host, for example mode or map. A change replaces all of them. Lists can filter by the first 16 keys.',
    ),
    server: required(
      nullable(serverSummary),
      "Server of the lobby's match; null until the server has ports, and after the match.",
    ),
    matchId: required(nullable(string), 'Match of the lobby; null without one.'),
    proposal: given(proposal, 'Proposed match that the players must accept; absent without one.'),
    lastExit: required(
      orNull(lastExit),
      'Reason of the last return to `waiting`; null after the lobby has entered the queue again.',
    ),
    banned: given(listOf(string), 'Ids of banned players; only for members and server keys.'),
    warnings: given(
      listOf(sentence),
      'Warnings about a region that no machine serves; only in answers to the calls that create, read or change the lobby.',
    ),
    version: required(
      plain(z.int().min(1)),
      'Version, which grows by one with each change; also the id of its stream event.',
    ),
    createdAt: required(instant, 'Time of creation.'),
    updatedAt: required(instant, 'Time of the last change.'),
  },
  'Lobby',
  'A lobby.',
)
