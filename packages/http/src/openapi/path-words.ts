/** Path parameters of operations without a recorded example: the value of another operation, or this one. */
export const PATH_EXAMPLES: Readonly<Record<string, string>> = { code: 'LOBBY_FULL' }

/** Descriptions of path parameters. */
export const PATH_WORDS: Readonly<Record<string, string>> = {
  build_id: 'The build.',
  delivery_id: 'The delivery, as the list of deliveries names it.',
  instance_id: 'The game server.',
  key_id: 'The key: its id, not its value.',
  lobby_id: 'The lobby.',
  match_id: 'The match.',
  player_id: 'The player, as your game names them.',
  project_id: 'The project.',
  queue_id: 'The queue, as its developer named it.',
  webhook_id: 'The webhook.',
  code: 'A code of the error catalogue.',
}
