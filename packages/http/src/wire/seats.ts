import type { KeptSeat, SeatOfPlayer } from '@matchyard/core'
import { DEFAULT_KEEP_SEAT_SECONDS, KEEP_SEAT_SECONDS, PLAYER_ID_LENGTH } from '@matchyard/core/domain'
import { answerOf, bodyOf, instant, nullable, optional, plain, required } from './codec/index'
import { string, text, wholeIn } from './shared'

const holdSeconds = plain(wholeIn(KEEP_SEAT_SECONDS).body.openapi({ default: DEFAULT_KEEP_SEAT_SECONDS }))

/** Body of a call that keeps a seat of a running match. */
export const newSeat = bodyOf({
  targetPlayerId: required(text(PLAYER_ID_LENGTH), 'Player for whom the seat is kept.'),
  team: optional(
    string,
    'Team of the seat; by default the team of the calling player, or the team with the most open seats.',
  ),
  holdSeconds: optional(holdSeconds, 'Seconds for which the seat is kept.'),
})

export const seatOfPlayer = answerOf<SeatOfPlayer>()(
  {
    playerId: required(string, 'Player for whom the seat is kept.'),
    team: required(string, 'Team of the seat.'),
    expiresAt: required(instant, 'Time at which the seat is free again.'),
  },
  'KeptSeat',
  'A seat of a running match that is kept for one player.',
)

/** A kept seat as the match shows it to backends. */
export const keptSeat = answerOf<KeptSeat>()({
  playerId: required(string, 'Player for whom the seat is kept.'),
  team: required(string, 'Team of the seat.'),
  role: required(nullable(string), 'Role of the seat; null when the queue has no roles.'),
  keptBy: required(
    nullable(string),
    'Player of the match who asked for the seat; null for your backend and the game server.',
  ),
  expiresAt: required(instant, 'Time at which the seat is free again.'),
})

/** Body of a call by which a lobby joins a running match. */
export const joiningLobby = bodyOf({
  lobbyId: required(string, 'Lobby of the player for whom the seat is kept, without other players.'),
})
