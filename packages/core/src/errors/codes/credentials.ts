import { errorCodes } from '../error-row'

export const CREDENTIAL_ERRORS = errorCodes({
  INVALID_API_KEY: {
    number: 1001,
    kind: 'unauthenticated',
    title: 'The API key is unknown, malformed or revoked.',
    happened:
      'The key in the `api-key` header is not accepted: it is mistyped or incomplete, belongs to another installation, was revoked, has expired (`expires_at`), or its project or account was deleted or disabled. `detail` gives the cause if it can be disclosed.',
    mend: 'Compare the key with the value that was shown when it was created: `ck_live_` or `sk_live_` followed by 36 characters. The value of a key is shown only once; if it is lost, create a new key in the console or with a session token. `matchyard dev` prints the keys of its demo project when it starts.',
    retry: 'in-vain',
    near: ['MISSING_CREDENTIALS', 'CREDENTIAL_NOT_ALLOWED', 'KEY_REVOKED'],
  },
  MISSING_CREDENTIALS: {
    number: 1002,
    kind: 'unauthenticated',
    title: 'No credential was sent.',
    happened: 'The operation needs a credential, and the request has none.',
    mend: 'Send a key as `api-key: ck_live_…` (players) or `api-key: sk_live_…` (your backend), or a session token as `authorization: Bearer …`. `detail` names the credentials that this operation accepts. If your request had a credential, check whether a proxy or a redirect removed the header.',
    retry: 'in-vain',
    near: ['INVALID_API_KEY', 'CREDENTIAL_NOT_ALLOWED'],
  },
  INVALID_SESSION_TOKEN: {
    number: 1003,
    kind: 'unauthenticated',
    title: 'The session token is not valid.',
    happened:
      'The bearer token is not accepted: it was not issued by this installation, was replaced by a refresh, its session was logged out, or its account was disabled. A game server gets this error for its own token when the service has started the server again, or when the server has ended.',
    mend: 'Log in again and use the new token. After `POST /v1/auth/refresh` only the returned token is valid, so a program that refreshes in several places must share one token. A game server that gets this error should exit: the service no longer uses it.',
    retry: 'in-vain',
    near: ['SESSION_EXPIRED', 'INVALID_LOGIN', 'MISSING_CREDENTIALS'],
  },
  SESSION_EXPIRED: {
    number: 1004,
    kind: 'unauthenticated',
    title: 'The session has expired.',
    happened: 'The session token was issued more than seven days ago.',
    mend: 'Log in again. Call `POST /v1/auth/refresh` before `expires_at` to stay signed in. For long-running programs use a server key, which never expires unless it was created with an expiry time.',
    retry: 'in-vain',
    near: ['INVALID_SESSION_TOKEN', 'INVALID_LOGIN'],
  },
  CREDENTIAL_NOT_ALLOWED: {
    number: 1005,
    kind: 'forbidden',
    title: 'This kind of credential may not be used here.',
    happened:
      'The credential is valid, but this operation does not accept its kind: for example a client key for queues, an API key for billing, or a session token for lobbies.',
    mend: 'Use the kind of credential that `detail` names. Player actions need the client key. Queues, builds and servers need the server key; keep it in your backend and never put it in a game that you ship. Account, billing and keys need a session token.',
    retry: 'in-vain',
    near: ['INVALID_API_KEY', 'MISSING_CREDENTIALS', 'NOT_HOST'],
  },
  PLAYER_ID_REQUIRED: {
    number: 1006,
    kind: 'invalid',
    title: 'The x-player-id header is required.',
    happened: 'This operation is done by a player, and the request does not name the player.',
    mend: "Send `x-player-id` with the player's id in your game: any text of 1 to 128 characters that stays the same. In the client libraries it is the option `player`. In a project that requires player tokens, the token contains the player's id instead.",
    retry: 'in-vain',
    near: ['INVALID_PLAYER_ID', 'PLAYER_TOKEN_REQUIRED'],
  },
  INVALID_PLAYER_ID: {
    number: 1007,
    kind: 'invalid',
    title: 'The x-player-id header is not valid.',
    happened:
      'The `x-player-id` header is empty, is longer than 128 characters, contains control characters, is not valid UTF-8, or was sent twice.',
    mend: 'Send the header once, as UTF-8. A player id from another system can have any format up to 128 characters. Hash a longer id instead of shortening it, because two shortened ids can be equal.',
    retry: 'in-vain',
    near: ['PLAYER_ID_REQUIRED', 'VALIDATION_FAILED'],
  },
  INVALID_LOGIN: {
    number: 1008,
    kind: 'unauthenticated',
    title: 'The e-mail address, the password or the code is wrong.',
    happened:
      'No account has this e-mail address and password; or the code of the second factor is wrong or was used; or the one-time code was already used, is more than ten minutes old, or was never issued. An unknown address and a wrong password get the same answer, so that nobody can find out which addresses have accounts.',
    mend: 'Check the address and the password. Upper and lower case matter in the password, but not in the address. The operator of the installation can set a new password with `matchyard accounts`. If you sign in with a code, use the newest link that `matchyard dev` printed.',
    retry: 'in-vain',
    near: ['RATE_LIMITED', 'REGISTRATION_CLOSED', 'EMAIL_TAKEN'],
  },
  EMAIL_TAKEN: {
    number: 1009,
    kind: 'conflict',
    title: 'An account with this e-mail address exists.',
    happened:
      'The registration names an e-mail address that already has an account. Upper and lower case are ignored in the comparison.',
    mend: 'Log in with this address, or register another one. If the response to a registration was lost, repeating it with the same `idempotency-key` returns the same response. A repeated registration without that header gets this error; log in instead.',
    retry: 'in-vain',
    near: ['INVALID_LOGIN', 'REGISTRATION_CLOSED'],
  },
  PLAYER_TOKEN_REQUIRED: {
    number: 1010,
    kind: 'unauthenticated',
    title: 'A player token is required.',
    happened:
      "The project requires proof of the player's identity (`mode` is `signed`), but the request has only a client key. In such a project the `x-player-id` header is not proof.",
    mend: "Send the player's token from your login provider as `authorization: Bearer …`, together with the client key. In the client libraries the option `player` can be a function that fetches the token. Requests with a server key need no player token.",
    retry: 'in-vain',
    near: ['INVALID_PLAYER_TOKEN', 'PLAYER_ID_REQUIRED'],
  },
  INVALID_PLAYER_TOKEN: {
    number: 1011,
    kind: 'unauthenticated',
    title: 'The player token is not valid.',
    happened:
      "The player token does not prove the player's identity: it has expired, its signature matches no key of its issuer, it is for another audience, it names a different player than `x-player-id`, or it uses an algorithm or header that is not allowed. `detail` gives the cause.",
    mend: 'Get a new token from your login provider. If new tokens are also rejected, compare their issuer, audience and algorithm with `GET /v1/projects/{project_id}/player-auth`, and compare the clocks of both machines: a difference of up to one minute is accepted.',
    retry: 'in-vain',
    near: ['PLAYER_TOKEN_REQUIRED', 'INVALID_PLAYER_ID'],
  },
  REGISTRATION_CLOSED: {
    number: 1012,
    kind: 'forbidden',
    title: 'Registration is closed on this installation.',
    happened:
      'The operator of this installation does not allow strangers to register, because every account can run programs on its machines.',
    mend: 'Ask the operator for an account. If you are the operator, create an account with `matchyard accounts create`, or start the service with `REGISTRATION=open` to let anyone register.',
    retry: 'in-vain',
    near: ['INVALID_LOGIN', 'EMAIL_TAKEN'],
  },
  INVALID_MACHINE_TOKEN: {
    number: 1014,
    kind: 'unauthenticated',
    title: 'The machine token is unknown, malformed or revoked.',
    happened:
      'The token of an agent is not accepted: it is mistyped or incomplete, belongs to another installation, was revoked or replaced, or its machine was removed. `detail` gives the cause if it is known.',
    mend: 'Compare the token with the value that was shown when it was created: `mt_live_` followed by 36 characters. A token is shown only once; if it is lost, the operator creates another with `matchyard machines token <name> --replace`. Set it as `MATCHYARD_MACHINE_TOKEN` of the agent.',
    retry: 'in-vain',
    near: ['INVALID_API_KEY', 'MISSING_CREDENTIALS', 'MACHINE_NOT_FOUND'],
    also: 'Calls of an agent.',
  },
  SESSION_NOT_FOUND: {
    number: 1015,
    kind: 'absent',
    title: 'There is no such session.',
    happened:
      'The account has no session with this id: it has expired, belongs to another account, or never existed. A session that ended earlier is still found until it expires.',
    mend: 'List the valid sessions of the account with `GET /v1/account/sessions`.',
    retry: 'in-vain',
    near: ['INVALID_SESSION_TOKEN', 'SESSION_EXPIRED'],
  },
  SECOND_FACTOR_REQUIRED: {
    number: 1013,
    kind: 'unauthenticated',
    title: 'A code of the second factor is required.',
    happened:
      'The e-mail address and the password are right, and the account has a second factor, but the login has no `code`.',
    mend: 'Send the login again with `code`: the 6 digits that the authenticator shows, or a recovery code. Without the authenticator and recovery codes, ask the operator of the installation, who can remove the second factor with `matchyard accounts remove-second-factor`.',
    retry: 'in-vain',
    near: ['INVALID_LOGIN', 'RATE_LIMITED'],
  },
  SECOND_FACTOR_STATE: {
    number: 1016,
    kind: 'conflict',
    title: 'The second factor is not in the state for this call.',
    happened:
      'A second factor was begun while one is active; or one was activated that was not begun in the last hour; or one was removed that does not exist.',
    mend: 'Read the state with `GET /v1/account/second-factor`. To replace a second factor, remove it, begin another one, and activate that one with a code.',
    retry: 'when-changed',
    near: ['SECOND_FACTOR_REFUSED', 'SECOND_FACTOR_REQUIRED'],
  },
  SECOND_FACTOR_REFUSED: {
    number: 1017,
    kind: 'forbidden',
    title: 'The password or the code is wrong.',
    happened:
      'A change of the second factor needs the password of the account (to begin) or a code (to activate and to remove). The sent one is wrong; or the code was used already, or has expired.',
    mend: 'Send the password of the account. Send a new code: each code of an authenticator works once, for about a minute. If new codes are refused too, compare the clocks of the authenticator and of the service.',
    retry: 'in-vain',
    near: ['INVALID_LOGIN', 'SECOND_FACTOR_STATE', 'RATE_LIMITED'],
  },
})
