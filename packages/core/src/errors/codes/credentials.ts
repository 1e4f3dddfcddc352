import { errorCodes } from '../error-row'

export const CREDENTIAL_ERRORS = errorCodes({
  INVALID_API_KEY: {
    number: 1001,
    kind: 'unauthenticated',
    title: 'The API key is unknown, malformed or revoked.',
    happened:
      'A key came in `api-key`, and it opens nothing: it is mistyped or cut off, belongs to another installation, was revoked, has passed its `expires_at`, or its project or account is gone. `detail` says which, where that may be told.',
    mend: 'Compare the key with the one you were shown when it was made: `ck_live_` or `sk_live_` and 36 characters. A value is shown once; if it is lost, make another key in the console or with a session. `matchyard dev` prints the keys of its demo project when it starts.',
    retry: 'in-vain',
    near: ['MISSING_CREDENTIALS', 'CREDENTIAL_NOT_ALLOWED', 'KEY_REVOKED'],
  },
  MISSING_CREDENTIALS: {
    number: 1002,
    kind: 'unauthenticated',
    title: 'No credential was sent.',
    happened: 'The operation needs a credential, and the request has none.',
    mend: 'Send a key as `api-key: ck_live_…` (players) or `api-key: sk_live_…` (your backend), or a session token as `authorization: Bearer …`. `detail` names what this operation takes. If you did send one, look whether a proxy or a redirect dropped the header.',
    retry: 'in-vain',
    near: ['INVALID_API_KEY', 'CREDENTIAL_NOT_ALLOWED'],
  },
  INVALID_SESSION_TOKEN: {
    number: 1003,
    kind: 'unauthenticated',
    title: 'The session token is not valid.',
    happened:
      'A bearer token came that is good for nothing: it was not signed here, was replaced by a refresh, was logged out, or its account was disabled. A game server is told the same once another attempt of it runs, or it has ended.',
    mend: 'Log in again and use the token that is answered. After `POST /v1/auth/refresh` only the new token counts, so a program whose parts refresh side by side has to share one token. A game server that is told this has been given up by the service and should end.',
    retry: 'in-vain',
    near: ['SESSION_EXPIRED', 'INVALID_LOGIN', 'MISSING_CREDENTIALS'],
  },
  SESSION_EXPIRED: {
    number: 1004,
    kind: 'unauthenticated',
    title: 'The session has expired.',
    happened: 'The session token was good and its seven days are over.',
    mend: 'Log in again. Call `POST /v1/auth/refresh` before `expires_at` to stay signed in; for programs that run for long use a server key, which does not expire unless you ask for that.',
    retry: 'in-vain',
    near: ['INVALID_SESSION_TOKEN', 'INVALID_LOGIN'],
  },
  CREDENTIAL_NOT_ALLOWED: {
    number: 1005,
    kind: 'forbidden',
    title: 'This kind of credential may not be used here.',
    happened:
      'The credential is real and of a kind that this operation does not take: a client key on queues, a key on billing, a session on lobbies.',
    mend: 'Use the kind that `detail` names. Player actions take the client key. Queues, builds and servers take the server key, which belongs in your backend and never in a game that you ship. Account, billing and keys take a session.',
    retry: 'in-vain',
    near: ['INVALID_API_KEY', 'MISSING_CREDENTIALS', 'NOT_HOST'],
  },
  PLAYER_ID_REQUIRED: {
    number: 1006,
    kind: 'invalid',
    title: 'The x-player-id header is required.',
    happened: 'A player has to act here, and the request does not say which one.',
    mend: "Send `x-player-id` with the player's id in your game: any text of 1 to 128 characters that stays the same. The client libraries take it as their option `player`. In a project that requires player tokens, the token contains the player's id instead.",
    retry: 'in-vain',
    near: ['INVALID_PLAYER_ID', 'PLAYER_TOKEN_REQUIRED'],
  },
  INVALID_PLAYER_ID: {
    number: 1007,
    kind: 'invalid',
    title: 'The x-player-id header is not valid.',
    happened:
      'The `x-player-id` header is empty, longer than 128 characters, holds control characters, is no UTF-8, or was sent twice.',
    mend: 'Send it once, as UTF-8. An id that comes from elsewhere may be of any form as long as it fits; hash one that is too long rather than cut it, so that two players do not become one.',
    retry: 'in-vain',
    near: ['PLAYER_ID_REQUIRED', 'VALIDATION_FAILED'],
  },
  INVALID_LOGIN: {
    number: 1008,
    kind: 'unauthenticated',
    title: 'The e-mail address or the password is wrong.',
    happened:
      'There is no account with this address and password, or a one-time code was used already, is over ten minutes old or was never given out. An unknown address and a wrong password are answered alike, so that nobody can find out who has an account.',
    mend: 'Check both. Addresses are compared in lower case, passwords exactly. The operator of the installation can set another password with `matchyard accounts`. For a code, take the newest link that `matchyard dev` printed.',
    retry: 'in-vain',
    near: ['RATE_LIMITED', 'REGISTRATION_CLOSED', 'EMAIL_TAKEN'],
  },
  EMAIL_TAKEN: {
    number: 1009,
    kind: 'conflict',
    title: 'An account with this e-mail address exists.',
    happened: 'Somebody registers with an address that has an account, in whatever case it is written.',
    mend: 'Log in with it, or register another address. A registration whose answer was lost is found again by its `idempotency-key`; without one the second attempt ends here, and logging in is the way on.',
    retry: 'in-vain',
    near: ['INVALID_LOGIN', 'REGISTRATION_CLOSED'],
  },
  PLAYER_TOKEN_REQUIRED: {
    number: 1010,
    kind: 'unauthenticated',
    title: 'A player token is required.',
    happened:
      'The project asks its players to prove who they are (`mode` is `signed`), and a client key came alone. An `x-player-id` proves nothing there.',
    mend: "Send the player's token from your login provider as `authorization: Bearer …` beside the client key; `player` of the clients may be a function that fetches it. Your backend with its server key needs none.",
    retry: 'in-vain',
    near: ['INVALID_PLAYER_TOKEN', 'PLAYER_ID_REQUIRED'],
  },
  INVALID_PLAYER_TOKEN: {
    number: 1011,
    kind: 'unauthenticated',
    title: 'The player token is not valid.',
    happened:
      'A player token came that does not prove who plays: it has expired, is signed by a key that its issuer does not have, is for another audience, names another player than `x-player-id`, or uses what is not allowed. `detail` says which.',
    mend: 'Fetch a fresh token from your login provider. If fresh ones are refused too, compare issuer, audience and algorithm with `GET /v1/projects/{project_id}/player-auth`, and the clocks of both machines: a minute apart is borne.',
    retry: 'in-vain',
    near: ['PLAYER_TOKEN_REQUIRED', 'INVALID_PLAYER_ID'],
  },
  REGISTRATION_CLOSED: {
    number: 1012,
    kind: 'forbidden',
    title: 'This installation takes no registrations.',
    happened: 'Registration is closed on this installation, because an account may run programs on its machines.',
    mend: 'Ask the operator for an account. If that is you, make one with `matchyard accounts create`, or start the service with `REGISTRATION=open` where strangers are meant to come in.',
    retry: 'in-vain',
    near: ['INVALID_LOGIN', 'EMAIL_TAKEN'],
  },
})
