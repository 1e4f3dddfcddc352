/**
 * Types of webhook messages by domain event; each type begins with the kind of its subject. When a release adds a type, an existing webhook
 * receives it only after its owner subscribes to it.
 */
export const MESSAGE_OF = {
  match_found: 'match.found',
  match_started: 'match.started',
  match_ended: 'match.ended',
  match_backfilled: 'match.backfilled',
  lobby_deleted: 'lobby.deleted',
  server_running: 'server.running',
  server_stopped: 'server.stopped',
  server_failed: 'server.failed',
  build_ready: 'build.ready',
  build_failed: 'build.failed',
  match_resulted: 'match.result',
  player_banned: 'player.banned',
  player_unbanned: 'player.unbanned',
  problem_opened: 'problem.opened',
  problem_closed: 'problem.closed',
} as const
/** Type of a message that webhooks can subscribe to, for example `match.found`. */
export type MessageType = (typeof MESSAGE_OF)[keyof typeof MESSAGE_OF]
/** Types of messages that webhooks can subscribe to. */
export const MESSAGE_TYPES = Object.values(MESSAGE_OF) as readonly MessageType[] as readonly [
  MessageType,
  ...MessageType[],
]

/** Type of the test message. A developer sends it to one webhook on request, even when the webhook does not subscribe to it. */
export const TEST_MESSAGE_TYPE = 'webhook.test'
/** Type of any message that the service sends: a subscribed type, or the test message. */
export type SentMessageType = MessageType | typeof TEST_MESSAGE_TYPE
