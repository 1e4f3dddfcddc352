/** What kind of refusal it is, in words that hold whatever carries the answer; the HTTP package gives each its status. */
export type ErrorKind =
  /** The input has not the form that is asked for. */
  | 'invalid'
  /** Nobody known is calling. */
  | 'unauthenticated'
  /** Paying comes first. */
  | 'unpaid'
  /** Known, and not allowed. */
  | 'forbidden'
  /** There is no such thing, or it is not the caller's to know of. */
  | 'absent'
  /** The thing is there and is not asked for in this way. */
  | 'unsuited'
  /** Not in this state. */
  | 'conflict'
  | 'too_large'
  /** So is what stands before the input: the address, and what is said about it. */
  | 'head_too_large'
  /** In a format that is not read here. */
  | 'unreadable'
  /** Repeats an earlier request that said something else. */
  | 'mismatch'
  | 'too_many'
  /** A fault of our own. */
  | 'bug'
  /** Something that the service leans on failed for good. */
  | 'failed'
  /** Something that the service leans on is away for now. */
  | 'unavailable'

/** One row: the stable number, the kind, the title. Numbers are never reused; rows are only added. */
export interface ErrorRow {
  readonly number: number
  readonly kind: ErrorKind
  readonly title: string
}

/** Every error a caller can see (docs/http-api.md §1, "Errors"). */
export const ERROR_CATALOGUE = {
  INVALID_API_KEY: { number: 1001, kind: 'unauthenticated', title: 'The API key is unknown, malformed or revoked.' },
  MISSING_CREDENTIALS: { number: 1002, kind: 'unauthenticated', title: 'No credential was sent.' },
  INVALID_SESSION_TOKEN: { number: 1003, kind: 'unauthenticated', title: 'The session token is not valid.' },
  SESSION_EXPIRED: { number: 1004, kind: 'unauthenticated', title: 'The session has expired.' },
  CREDENTIAL_NOT_ALLOWED: { number: 1005, kind: 'forbidden', title: 'This kind of credential may not be used here.' },
  PLAYER_ID_REQUIRED: { number: 1006, kind: 'invalid', title: 'The x-player-id header is required.' },
  INVALID_PLAYER_ID: { number: 1007, kind: 'invalid', title: 'The x-player-id header is not valid.' },
  INVALID_LOGIN: { number: 1008, kind: 'unauthenticated', title: 'The e-mail address or the password is wrong.' },
  EMAIL_TAKEN: { number: 1009, kind: 'conflict', title: 'An account with this e-mail address exists.' },
  PLAYER_TOKEN_REQUIRED: { number: 1010, kind: 'unauthenticated', title: 'A player token is required.' },
  INVALID_PLAYER_TOKEN: { number: 1011, kind: 'unauthenticated', title: 'The player token is not valid.' },
  REGISTRATION_CLOSED: { number: 1012, kind: 'forbidden', title: 'This installation takes no registrations.' },
  SERVER_NOT_FOUND: { number: 2001, kind: 'absent', title: 'There is no such server.' },
  INVALID_SERVER_STATE: { number: 2002, kind: 'conflict', title: 'The server is not in a state that allows this.' },
  SERVER_LAUNCH_FAILED: { number: 2003, kind: 'failed', title: 'The game server could not be launched.' },
  BUILD_NOT_FOUND: { number: 3001, kind: 'absent', title: 'There is no such build.' },
  BUILD_NOT_READY: { number: 3002, kind: 'conflict', title: 'There is no ready build of that name.' },
  BUILD_IN_USE: { number: 3003, kind: 'conflict', title: 'A live server runs this build.' },
  UPLOAD_REJECTED: { number: 3004, kind: 'forbidden', title: 'The upload is not accepted.' },
  LOBBY_NOT_FOUND: { number: 4001, kind: 'absent', title: 'There is no such lobby.' },
  LOBBY_FULL: { number: 4002, kind: 'conflict', title: 'The lobby is full.' },
  PLAYER_NOT_IN_LOBBY: { number: 4003, kind: 'forbidden', title: 'The player is not in the lobby.' },
  NOT_HOST: { number: 4004, kind: 'forbidden', title: 'Only the lobby host may do this.' },
  INVALID_INVITE_CODE: { number: 4005, kind: 'absent', title: 'No lobby has this invite code.' },
  PLAYER_STATE_FORBIDDEN: {
    number: 4006,
    kind: 'forbidden',
    title: "The caller may not change this player's state so.",
  },
  INVALID_LOBBY_STATE: { number: 4007, kind: 'conflict', title: 'The lobby is not in a state that allows this.' },
  LOBBY_NOT_ACCEPTING: { number: 4008, kind: 'conflict', title: 'The lobby does not accept players this way now.' },
  INVITE_CODES_EXHAUSTED: { number: 4009, kind: 'conflict', title: 'No free invite code was found.' },
  PLAYER_BANNED: { number: 4010, kind: 'forbidden', title: 'The player is banned here.' },
  BAN_NOT_FOUND: { number: 4011, kind: 'absent', title: 'There is no such ban.' },
  BAN_LIMIT: { number: 4012, kind: 'conflict', title: 'There are as many bans as there may be.' },
  QUEUE_NOT_FOUND: { number: 5001, kind: 'absent', title: 'There is no such queue.' },
  QUEUE_DISABLED: { number: 5002, kind: 'conflict', title: 'The queue is disabled.' },
  QUEUE_EXISTS: { number: 5003, kind: 'conflict', title: 'A queue with this id exists.' },
  QUEUE_IN_USE: { number: 5004, kind: 'conflict', title: 'Lobbies live in this queue.' },
  QUEUE_VERSION_NOT_FOUND: { number: 5014, kind: 'absent', title: 'The queue has no such version in its history.' },
  MATCHMAKING_NOT_CONFIGURED: { number: 5005, kind: 'conflict', title: 'The queue has no matchmaking.' },
  PARTY_TOO_LARGE: { number: 5006, kind: 'conflict', title: 'The party is too large for this queue.' },
  PARTY_CANNOT_MATCH: { number: 5007, kind: 'conflict', title: 'The party can never be matched in this queue.' },
  MATCH_NOT_FOUND: { number: 5008, kind: 'absent', title: 'There is no such match.' },
  INVALID_MATCH_STATE: { number: 5009, kind: 'conflict', title: 'The match is not in a state that allows this.' },
  NO_PROPOSAL: { number: 5010, kind: 'conflict', title: 'No match is proposed to this lobby.' },
  PROPOSAL_CHANGED: { number: 5011, kind: 'conflict', title: 'Another match is proposed to this lobby.' },
  PLAYER_COOLING_DOWN: { number: 5012, kind: 'conflict', title: 'A player may not enter this queue yet.' },
  BACKFILL_NOT_FOUND: { number: 5013, kind: 'absent', title: 'The match asks for nobody.' },
  PLAN_LIMIT_EXCEEDED: { number: 6001, kind: 'forbidden', title: 'The plan does not allow this.' },
  PAYMENT_METHOD_REQUIRED: { number: 6002, kind: 'unpaid', title: 'A payment method is required.' },
  INVALID_PLAN_CHANGE: { number: 6003, kind: 'conflict', title: 'The plan cannot be changed this way.' },
  PROJECT_NOT_FOUND: { number: 7001, kind: 'absent', title: 'There is no such project.' },
  PROJECT_HAS_RUNNING_SERVERS: { number: 7002, kind: 'conflict', title: 'Servers still run in the project.' },
  VALIDATION_FAILED: { number: 8001, kind: 'invalid', title: 'The request is not valid.' },
  NOT_FOUND: { number: 8002, kind: 'absent', title: 'There is no such route or delivery.' },
  METHOD_NOT_ALLOWED: { number: 8003, kind: 'unsuited', title: 'The route does not take this method.' },
  RATE_LIMITED: { number: 8004, kind: 'too_many', title: 'Too many requests.' },
  PAYLOAD_TOO_LARGE: { number: 8005, kind: 'too_large', title: 'The payload is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { number: 8006, kind: 'unreadable', title: 'The content type is not supported.' },
  UNAVAILABLE: { number: 8007, kind: 'unavailable', title: 'A part of the service is unavailable.' },
  CONFLICT: { number: 8008, kind: 'conflict', title: 'Another request changed this at the same time.' },
  INTERNAL: { number: 8009, kind: 'bug', title: 'Something went wrong on our side.' },
  IDEMPOTENCY_MISMATCH: { number: 8010, kind: 'mismatch', title: 'The idempotency key was used with another request.' },
  KEY_NOT_FOUND: { number: 9001, kind: 'absent', title: 'There is no such key.' },
  KEY_REVOKED: { number: 9002, kind: 'conflict', title: 'The key is already revoked.' },
  WEBHOOK_NOT_FOUND: { number: 9101, kind: 'absent', title: 'There is no such webhook.' },
  WEBHOOK_ADDRESS_REFUSED: { number: 9102, kind: 'invalid', title: 'The address may not be called.' },
  WEBHOOK_LIMIT: { number: 9103, kind: 'conflict', title: 'The project has as many webhooks as it may.' },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERROR_CATALOGUE
