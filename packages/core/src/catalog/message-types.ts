/**
 * Type of the webhook message for each domain event; a type begins with the kind of its subject. A webhook gets a new type only after it asks
 * for it.
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
} as const
export type MessageType = (typeof MESSAGE_OF)[keyof typeof MESSAGE_OF]
export const MESSAGE_TYPES = Object.values(MESSAGE_OF) as readonly MessageType[] as readonly [
  MessageType,
  ...MessageType[],
]

/** Sent to one endpoint when it is asked for, whatever its types. */
export const TEST_MESSAGE_TYPE = 'webhook.test'
export type SentMessageType = MessageType | typeof TEST_MESSAGE_TYPE
