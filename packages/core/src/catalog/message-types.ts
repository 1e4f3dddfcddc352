/** What webhooks tell of. A type that is added is sent to nobody who did not ask for it. */
export const MESSAGE_TYPES = [
  'match.found',
  'match.started',
  'match.ended',
  'match.backfilled',
  'lobby.deleted',
  'server.running',
  'server.stopped',
  'server.failed',
  'build.ready',
  'build.failed',
] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** Sent to one endpoint when it is asked for, whatever its types. */
export const TEST_MESSAGE_TYPE = 'webhook.test'
export type SentMessageType = MessageType | typeof TEST_MESSAGE_TYPE
