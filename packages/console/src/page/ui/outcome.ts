import type { Tone } from './statuses'

/** Tone and label for each reason that ends a search or a match. */
const OUTCOMES: Readonly<Record<string, readonly [Tone, string]>> = {
  match_ended: ['good', 'The match ended'],
  backend_ended: ['good', 'Ended by the backend'],
  cancelled: ['still', 'Cancelled by the host'],
  player_left: ['still', 'A player left'],
  timeout: ['wait', 'No match found in time'],
  declined: ['wait', 'A match was declined'],
  not_answered: ['wait', 'A match was not accepted in time'],
  unmatchable: ['wait', 'The lobby can no longer be matched'],
  server_stopped: ['wait', 'The server was stopped'],
  server_expired: ['wait', 'The server reached its time limit'],
  matched_elsewhere: ['still', 'A player was matched elsewhere'],
  banned: ['still', 'A player was banned'],
  match_expired: ['wait', 'The match reached its time limit'],
  launch_failed: ['bad', 'The launch failed'],
  build_missing: ['bad', 'No build was ready'],
  no_room: ['bad', 'No node had capacity'],
  server_failed: ['bad', 'The server failed'],
}

/** Returns the tone and the label of a reason. An unknown reason is its own label. */
export const outcomeOf = (reason: string): readonly [Tone, string] =>
  OUTCOMES[reason] ?? ['still', reason.replaceAll('_', ' ')]
