import { elsewhere, section } from './define'

export const ACCESS_RULES = section('specification', 'Authentication', {
  'S-AUT-01': 'A session token goes in `Authorization: Bearer` and reaches account, projects, keys and billing',
  'S-AUT-02': 'A session token reaches no player-facing endpoint',
  'S-AUT-03': 'A session reaches server and build endpoints of its own account only',
  'S-AUT-04': 'A client key goes in `api-key`, begins with `ck_live_` and reaches player-facing endpoints only',
  'S-AUT-05': 'A server key begins with `sk_live_` and reaches every project endpoint',
  'S-AUT-06': 'API keys do not reach the control plane',
  'S-AUT-07': '`x-player-id` is trusted verbatim, without authentication',
  'S-AUT-08': '`x-player-id` is 1 to 128 characters long',
  'S-AUT-09': 'Revoked keys fail with INVALID_API_KEY at once',
})

export const LIST_RULES = section('specification', 'List envelope; Limits; Versioning', {
  'S-LIS-01': 'Every list endpoint answers `total`, `limit`, `offset`, `has_more`, `data`',
  'S-LIS-02': 'On every list `limit` is 1 to 100 and `offset` at least 0',
  'S-LIM-01': 'Cancel is limited to 5 requests a second per `x-player-id`',
  'S-VER-01': 'Every path of the interface starts with `/v1`',
})

export const ERROR_RULES = section('specification', 'Errors', {
  'S-ERR-01': 'INVALID_API_KEY (1001): the key is unknown or revoked',
  'S-ERR-02': 'NOT_HOST (4004): a non-host uses a host-only operation',
  'S-ERR-03': 'INVALID_LOBBY_STATE (4007): settings while `in_queue`, `matched` or `starting`',
  'S-ERR-04': 'LOBBY_NOT_ACCEPTING: join by id of a private lobby, join of a lobby `in_game`',
  'S-ERR-05': 'QUEUE_DISABLED: a lobby in a disabled queue',
  'S-ERR-06': 'PROJECT_NOT_FOUND (7001): another account’s `project_id`',
  'S-ERR-07': 'PROJECT_HAS_RUNNING_SERVERS (7002): deleting a project under which a server runs',
  'S-ERR-08': 'KEY_REVOKED (9002): revoking a revoked key',
})

export const WIRE_CONTRACT_RULES = section('contract', '§1 Wire conventions', {
  'C-1-01': 'JSON in `snake_case` and UTF-8: no field of any documented answer is spelled otherwise',
  'C-1-02': 'Free-form objects are carried through untouched: case, order and nulls',
  'C-1-03': 'Timestamps are UTC with milliseconds and `Z`',
  'C-1-04': 'Identifiers are a prefix and a ULID',
  'C-1-05': 'Unknown body fields are VALIDATION_FAILED, naming the field',
  'C-1-06': 'Unknown query parameters are ignored',
  'C-1-07': 'Free-form JSON is at most 16 kB each; a merged state counts as a whole',
  'C-1-08': 'Free-form JSON is at most 16 levels deep, the object itself being the first',
  'C-1-09': '`__proto__`, `constructor` and `prototype` are refused as keys at any depth',
  'C-1-10': 'A body over 64 kB is PAYLOAD_TOO_LARGE',
  'C-1-11': 'A body that is not JSON is VALIDATION_FAILED, another content type UNSUPPORTED_MEDIA_TYPE',
  'C-1-12': 'Every answer carries `x-request-id`: the caller’s own if it is sane, else a new one',
  'C-1-13': 'Control-plane answers and those that hold a secret carry `cache-control: no-store`',
  'C-1-14': 'With both an API key and a session the API key decides',
  'C-1-15': 'Names are 1 to 128 characters',
  'C-1-16': '`x-player-id`: no trimming, no case folding, a comma is legal, UTF-8 as in a path',
  'C-1-17': 'CORS: `*` on player-facing routes with the headers they need, none on the control plane',
  'C-1-18': 'An idempotency key makes a repeated POST answer the same and act once',
  'C-1-19': 'Another body under the same idempotency key is IDEMPOTENCY_MISMATCH',
  'C-1-20': 'Idempotency keys are scoped to the credential and the player',
  'C-1-21': 'An idempotency key is 1 to 255 characters, and replayed for 24 hours',
  'C-1-22': 'The value of a minted key is not replayed',
  'C-1-23': '`limit` defaults to 50 and `offset` to 0 on every list; out of range is refused, never clamped',
  'C-1-24':
    'Refusals come in order: route, method, credential, kind, player, body, object, right, plan, named objects, state',
  'C-1-25': 'A stranger on a host-only operation gets NOT_HOST, one who changes a player’s state PLAYER_NOT_IN_LOBBY',
  'C-1-26': 'A PATCH that changes nothing, `{}` too, is 200 and makes no new version',
  'C-1-27':
    'Control characters, invalid UTF-8 and lone surrogates are refused; a player id’s length counts code points',
  'C-1-28': 'Key order of free-form objects is as JSON.parse gives it',
  'C-1-29': 'Success is 201 for a create, 200 for a read or an action, 204 for an empty one',
  'C-1-30': 'Concurrent POSTs under one idempotency key have one effect',
  'C-1-31': elsewhere(
    '`x-player-id` sent twice is refused',
    'packages/http/test/player-id.test.ts › the header sent twice is refused, even with the same value',
  ),
  'C-1-32': elsewhere(
    'Slow senders lose their connection after 30 s',
    'packages/http/test/slow-senders.test.ts › lose their connection when 30 seconds did not suffice for the body',
  ),
})

export const ERROR_CONTRACT_RULES = section('contract', '§1 Errors', {
  'C-E-01':
    'A refusal is `application/problem+json` with type, title, status, code, number, detail, request_id, details',
  'C-E-02': 'The catalogue has every code of the contract’s table with its number and status; codes are only added',
  'C-E-03': 'MISSING_CREDENTIALS: no credential sent',
  'C-E-04': 'VALIDATION_FAILED carries `details.issues` of `path` and `message`',
  'C-E-05': 'NOT_FOUND for a route that is not there',
  'C-E-06': 'METHOD_NOT_ALLOWED carries `allow`',
  'C-E-07': 'RATE_LIMITED carries `retry-after` and the IETF `ratelimit` headers',
  'C-E-08': 'UNAVAILABLE with `retry-after` while the storage is down',
  'C-E-09': 'INTERNAL says nothing of the cause',
  'C-E-10': 'LOBBY_NOT_FOUND also for every lobby of another project',
})
