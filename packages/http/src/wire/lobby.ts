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
import { answerOf, given, instant, listOf, nullable, plain, required, told } from './codec/index'
import { serverSummary } from './server-summary'
import { flag, freeForm, oneOf, region, string } from './shared'

/** A player as its lobby shows it. */
interface Seat {
  readonly player: LobbyPlayer
  readonly isHost: boolean
}

export const player = answerOf<Seat>()(
  {
    player_id: told(string, ({ player: { playerId } }: Seat) => playerId),
    is_host: told(flag, ({ isHost }: Seat) => isHost),
    joined_at: told(instant, ({ player: { joinedAt } }: Seat) => joinedAt),
    state: told(freeForm, ({ player: { state } }: Seat) => state),
  },
  'Player',
)

const seats = ({ players, hostPlayerId }: Lobby): Seat[] =>
  players.map((one) => ({ player: one, isHost: one.playerId === hostPlayerId }))
const version = z.int().min(1).openapi({ description: 'Grows by one with every change; the id of its event.' })

const lastExit = answerOf<LobbyExit>()(
  { reason: required('reason', oneOf(EXIT_REASONS)), detail: required('detail', string), at: required('at', instant) },
  'LobbyExit',
)

const answer = answerOf<LobbyProposal['players'][number]>()({
  player_id: required('playerId', string),
  answer: required('answer', oneOf(PROPOSAL_ANSWERS)),
})

const proposal = answerOf<LobbyProposal>()(
  {
    match_id: required('matchId', string),
    expires_at: required('expiresAt', instant),
    needed: required('needed', plain(z.int().min(1).openapi({ description: 'All players of the match.' }))),
    accepted: required('accepted', plain(z.int().min(0).openapi({ description: 'Of all players of the match.' }))),
    players: required('players', listOf(answer)),
  },
  'Proposal',
)

/** The lobby as players and backends see it; `settings` and each `state` are copied untouched. */
export const lobby = answerOf<Lobby>()(
  {
    lobby_id: required('id', string),
    queue_id: required('queueId', string),
    status: required('status', oneOf(LOBBY_STATUSES)),
    host_player_id: required('hostPlayerId', string),
    is_private: required('isPrivate', flag),
    max_players: required('maxPlayers', plain(z.int().min(LOBBY_PLAYERS.min).max(LOBBY_PLAYERS.max))),
    current_players: told(plain(z.int().min(0)), ({ players }: Lobby) => players.length),
    players: told(listOf(player), seats),
    name: given('name', string),
    region: given('region', region),
    invite_code: required('inviteCode', nullable(string)),
    settings: required('settings', freeForm),
    server: required('server', nullable(serverSummary)),
    match_id: required('matchId', nullable(string)),
    proposal: given('proposal', proposal),
    last_exit: told(nullable(lastExit), ({ lastExit: exit = null }: Lobby) => exit),
    version: required('version', plain(version)),
    created_at: required('createdAt', instant),
    updated_at: required('updatedAt', instant),
  },
  'Lobby',
)
