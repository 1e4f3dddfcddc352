/** One row: the stable number, the HTTP status, the title. Numbers are never reused; rows are only added. */
export interface ErrorRow {
  readonly number: number
  readonly status: number
  readonly title: string
}

/** Every error a caller can see (contract §1, "Errors"). */
export const ERROR_CATALOGUE = {
  INVALID_API_KEY: { number: 1001, status: 401, title: 'The API key is unknown, malformed or revoked.' },
  MISSING_CREDENTIALS: { number: 1002, status: 401, title: 'No credential was sent.' },
  INVALID_SESSION_TOKEN: { number: 1003, status: 401, title: 'The session token is not valid.' },
  SESSION_EXPIRED: { number: 1004, status: 401, title: 'The session has expired.' },
  CREDENTIAL_NOT_ALLOWED: { number: 1005, status: 403, title: 'This kind of credential may not be used here.' },
  PLAYER_ID_REQUIRED: { number: 1006, status: 400, title: 'The x-player-id header is required.' },
  INVALID_PLAYER_ID: { number: 1007, status: 400, title: 'The x-player-id header is not valid.' },
  INVALID_LOGIN: { number: 1008, status: 401, title: 'The e-mail address or the password is wrong.' },
  EMAIL_TAKEN: { number: 1009, status: 409, title: 'An account with this e-mail address exists.' },
  SERVER_NOT_FOUND: { number: 2001, status: 404, title: 'There is no such server.' },
  INVALID_SERVER_STATE: { number: 2002, status: 409, title: 'The server is not in a state that allows this.' },
  SERVER_LAUNCH_FAILED: { number: 2003, status: 502, title: 'The game server could not be launched.' },
  BUILD_NOT_FOUND: { number: 3001, status: 404, title: 'There is no such build.' },
  BUILD_NOT_READY: { number: 3002, status: 409, title: 'There is no ready build of that name.' },
  BUILD_IN_USE: { number: 3003, status: 409, title: 'A live server runs this build.' },
  UPLOAD_REJECTED: { number: 3004, status: 403, title: 'The upload URL is not valid any more.' },
  LOBBY_NOT_FOUND: { number: 4001, status: 404, title: 'There is no such lobby.' },
  LOBBY_FULL: { number: 4002, status: 409, title: 'The lobby is full.' },
  PLAYER_NOT_IN_LOBBY: { number: 4003, status: 403, title: 'The player is not in the lobby.' },
  NOT_HOST: { number: 4004, status: 403, title: 'Only the lobby host may do this.' },
  INVALID_INVITE_CODE: { number: 4005, status: 404, title: 'No lobby has this invite code.' },
  PLAYER_STATE_FORBIDDEN: { number: 4006, status: 403, title: "Only the host may change another player's state." },
  INVALID_LOBBY_STATE: { number: 4007, status: 409, title: 'The lobby is not in a state that allows this.' },
  LOBBY_NOT_ACCEPTING: { number: 4008, status: 409, title: 'The lobby does not accept players this way now.' },
  INVITE_CODES_EXHAUSTED: { number: 4009, status: 409, title: 'No free invite code was found.' },
  QUEUE_NOT_FOUND: { number: 5001, status: 404, title: 'There is no such queue.' },
  QUEUE_DISABLED: { number: 5002, status: 409, title: 'The queue is disabled.' },
  QUEUE_EXISTS: { number: 5003, status: 409, title: 'A queue with this id exists.' },
  QUEUE_IN_USE: { number: 5004, status: 409, title: 'Lobbies live in this queue.' },
  MATCHMAKING_NOT_CONFIGURED: { number: 5005, status: 409, title: 'The queue has no matchmaking.' },
  PARTY_TOO_LARGE: { number: 5006, status: 409, title: 'The party is too large for this queue.' },
  PARTY_CANNOT_MATCH: { number: 5007, status: 409, title: 'The party can never be matched in this queue.' },
  MATCH_NOT_FOUND: { number: 5008, status: 404, title: 'There is no such match.' },
  PLAN_LIMIT_EXCEEDED: { number: 6001, status: 403, title: 'The plan does not allow this.' },
  PAYMENT_METHOD_REQUIRED: { number: 6002, status: 402, title: 'A payment method is required.' },
  INVALID_PLAN_CHANGE: { number: 6003, status: 409, title: 'The plan cannot be changed this way.' },
  PROJECT_NOT_FOUND: { number: 7001, status: 404, title: 'There is no such project.' },
  PROJECT_HAS_RUNNING_SERVERS: { number: 7002, status: 409, title: 'Servers still run in the project.' },
  VALIDATION_FAILED: { number: 8001, status: 400, title: 'The request is not valid.' },
  NOT_FOUND: { number: 8002, status: 404, title: 'There is no such route.' },
  METHOD_NOT_ALLOWED: { number: 8003, status: 405, title: 'The route does not take this method.' },
  RATE_LIMITED: { number: 8004, status: 429, title: 'Too many requests.' },
  PAYLOAD_TOO_LARGE: { number: 8005, status: 413, title: 'The payload is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { number: 8006, status: 415, title: 'The content type is not supported.' },
  UNAVAILABLE: { number: 8007, status: 503, title: 'A part of the service is unavailable.' },
  CONFLICT: { number: 8008, status: 409, title: 'Another request changed this at the same time.' },
  INTERNAL: { number: 8009, status: 500, title: 'Something went wrong on our side.' },
  IDEMPOTENCY_MISMATCH: { number: 8010, status: 422, title: 'The idempotency key was used with another request.' },
  KEY_NOT_FOUND: { number: 9001, status: 404, title: 'There is no such key.' },
  KEY_REVOKED: { number: 9002, status: 409, title: 'The key is already revoked.' },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERROR_CATALOGUE
