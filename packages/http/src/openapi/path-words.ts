/**
 * Example values of path parameters for operations without a recorded example. A value of another operation's example
 * is preferred.
 */
export const PATH_EXAMPLES: Readonly<Record<string, string>> = { code: 'LOBBY_FULL' }

/** Descriptions of path parameters. */
export const PATH_WORDS: Readonly<Record<string, string>> = {
  build_id: 'The build.',
  delivery_id: 'Id of the delivery.',
  instance_id: 'The game server.',
  key_id: 'Id of the key (not its value).',
  lobby_id: 'The lobby.',
  machine_id: 'The machine.',
  match_id: 'The match.',
  player_id: 'Id of the player in your game.',
  project_id: 'The project.',
  queue_id: 'Id of the queue, chosen by the developer.',
  webhook_id: 'The webhook.',
  code: 'A code of the error catalogue.',
}
