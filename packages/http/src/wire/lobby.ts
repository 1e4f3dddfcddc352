import { z } from '@hono/zod-openapi'
import {
  EXIT_REASONS,
  LOBBY_STATUSES,
  type Lobby,
  type LobbyExit,
  type LobbyPlayer,
  type LobbyProposal,
  PROPOSAL_ANSWERS,
} from '@matchyard/core'
import { LOBBY_PLAYERS } from '@matchyard/core/domain'
import { answerOf, given, instant, listOf, NAMES_OF, nullable, orNull, plain, required, told } from './codec/index'
import { serverSummary } from './server-summary'
import { flag, freeForm, oneOf, region, string } from './shared'

/** A player as its lobby shows it. */
interface Seat {
  readonly player: LobbyPlayer
  readonly isHost: boolean
}

export const player = answerOf<Seat>()(
  {
    playerId: told(string, ({ player: { playerId } }: Seat) => playerId, 'The id.'),
    isHost: told(flag, ({ isHost }: Seat) => isHost, 'Whether it is the host.'),
    joinedAt: told(instant, ({ player: { joinedAt } }: Seat) => joinedAt, 'When it came.'),
    state: told(
      freeForm,
      ({ player: { state } }: Seat) => state,
      "The player's own: what rules compare, and what else the game keeps there.",
    ),
  },
  'Player',
  'A player in a lobby.',
)

const seats = ({ players, hostPlayerId }: Lobby): Seat[] =>
  players.map((one) => ({ player: one, isHost: one.playerId === hostPlayerId }))

const lastExit = answerOf<LobbyExit>()(
  {
    reason: required(oneOf(EXIT_REASONS), 'What happened; act on it.'),
    detail: required(string, 'A sentence for a developer.'),
    at: required(instant, 'When.'),
  },
  'LobbyExit',
  'How a lobby came back to `waiting`.',
)

const answer = answerOf<LobbyProposal['players'][number]>()({
  playerId: required(string, 'The player.'),
  answer: required(oneOf(PROPOSAL_ANSWERS), '`none` until the player has answered.'),
})

const proposal = answerOf<LobbyProposal>()(
  {
    matchId: required(string, 'The match that it would be.'),
    expiresAt: required(instant, 'Whoever has not answered by then is back in `waiting`.'),
    needed: required(plain(z.int().min(1)), 'All players of the match.'),
    accepted: required(plain(z.int().min(0)), 'Of all players of the match.'),
    players: required(listOf(answer), "The lobby's own players, and what each has answered."),
  },
  'Proposal',
  'A match that players are asked about before it is made.',
)

/** The lobby as players and backends see it; `settings` and each `state` are copied untouched. */
export const lobby = answerOf<Lobby>(NAMES_OF.lobby)(
  {
    id: required(string, 'Its id.'),
    queueId: required(string, 'The queue that it is in.'),
    status: required(
      oneOf(LOBBY_STATUSES),
      '`waiting`; `in_queue`: it searches; `matched` or `starting`: its server starts; `in_game`: its match is played.',
    ),
    hostPlayerId: required(string, 'The player who may change, start and close it.'),
    isPrivate: required(flag, 'Kept out of lists, and joined by invite code only.'),
    maxPlayers: required(plain(z.int().min(LOBBY_PLAYERS.min).max(LOBBY_PLAYERS.max)), 'So many players at the most.'),
    currentPlayers: told(plain(z.int().min(0)), ({ players }: Lobby) => players.length, 'So many players are in it.'),
    players: told(listOf(player), seats, 'Who is in it, in the order in which they came.'),
    name: given(string, 'Shown in lists; absent where it has none.'),
    region: given(region, 'Where a match that is started directly runs; absent where nobody said.'),
    inviteCode: required(nullable(string), 'What others join by; null where the queue has no invite codes.'),
    settings: required(
      freeForm,
      "The host's own, the mode or the map for example; replaced whole. The first 16 keys can be searched by.",
    ),
    server: required(
      nullable(serverSummary),
      'Where its match is played; null until the server has ports, and again once the match is over.',
    ),
    matchId: required(nullable(string), 'Its match; null while there is none.'),
    proposal: given(proposal, 'A match that its players are asked about; absent while there is none.'),
    lastExit: required(
      orNull(lastExit),
      'Why it came back to `waiting` the last time; null once it has entered again.',
    ),
    banned: given(
      listOf(string),
      'The ids of players whom it keeps out; for members and server keys, absent for others.',
    ),
    version: required(plain(z.int().min(1)), 'Grows by one with every change; the id of its event.'),
    createdAt: required(instant, 'When it was made.'),
    updatedAt: required(instant, 'When it changed last.'),
  },
  'Lobby',
  'A lobby, spelled as the service spells it.',
)
