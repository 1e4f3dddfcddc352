import { errorCodes } from '../error-row'

export const REQUEST_ERRORS = errorCodes({
  VALIDATION_FAILED: {
    number: 8001,
    kind: 'invalid',
    title: 'The request is not valid.',
    happened:
      'The body, the query or a header is not valid: a field is missing, misspelled, has the wrong type, or is out of range. Unknown fields are also rejected, so that a misspelled setting is noticed.',
    mend: 'Each entry of `details.issues` gives the field in `path`, spelled as you sent it, and the requirement in `message`. The list contains up to twenty faults, so that you can correct them together.',
    details: '`issues`: a list of `{path, message}`.',
    retry: 'in-vain',
    near: ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'INVALID_PLAYER_ID'],
  },
  NOT_FOUND: {
    number: 8002,
    kind: 'absent',
    title: 'There is no such route or delivery.',
    happened:
      'The service has no route with this path: the path is misspelled, lacks `/v1`, has an extra slash, or belongs to a feature that this installation does not use. For a delivery of a webhook: the webhook has no delivery with this id.',
    mend: 'Compare the path with the API reference. Check the base address of your client: it must end at the host, or at the prefix under which the service is mounted. An empty id also changes the path.',
    also: 'Every path without a route.',
    retry: 'in-vain',
    near: ['METHOD_NOT_ALLOWED', 'LOBBY_NOT_FOUND', 'WEBHOOK_NOT_FOUND'],
  },
  METHOD_NOT_ALLOWED: {
    number: 8003,
    kind: 'unsuited',
    title: 'The route does not allow this method.',
    happened: 'The path exists, but not with this HTTP method.',
    mend: 'Use a method that the `allow` header of the answer lists. A redirect may have changed a POST into a GET: if the service uses `https`, check that your address also begins with `https`.',
    also: 'Every path, with a method that it does not allow.',
    retry: 'in-vain',
    near: ['NOT_FOUND'],
  },
  RATE_LIMITED: {
    number: 8004,
    kind: 'too_many',
    title: 'Too many requests.',
    happened:
      'One player, account or IP address sent too many requests in a short time: creating lobbies, joining lobbies, opening event streams, making changes, or failed logins. The request was not processed, and nothing was changed.',
    mend: 'Wait, and find out why your game sends so many requests: for example, it writes a player state in every frame, or restarts matchmaking immediately after every failure. Write a state only when it changes. With `matchyard serve`, the operator sets these limits with `RATE_LIMIT_CREATIONS`, `RATE_LIMIT_JOINS`, `RATE_LIMIT_STREAMS` and `RATE_LIMIT_WRITES`. Requests with a server key have no such limit, except requests that cause work outside the service: `WORK_LIMITS` limits them for each project. `REGISTRATION_PER_HOUR` limits new accounts. An operator who is locked out can sign in with `matchyard accounts sign-in-code`.',
    details: '`policy`: the name of the limit; `retry_after_seconds`: the seconds to wait.',
    retry: 'after-a-pause',
    near: ['UNAVAILABLE', 'PLAYER_COOLING_DOWN'],
  },
  PAYLOAD_TOO_LARGE: {
    number: 8005,
    kind: 'too_large',
    title: 'The payload is too large.',
    happened:
      'The body is larger than 64 kB, the archive is larger than the installation allows, or the change would make the lobby larger than 256 kB.',
    mend: 'Send less: `settings` and `state` hold at most 16 kB each, and are for data that the other players need. Keep other data in your own database and send only its id.',
    details: '`limit`: the largest allowed size in bytes, for an archive.',
    retry: 'in-vain',
    near: ['VALIDATION_FAILED', 'UPLOAD_REJECTED'],
  },
  UNSUPPORTED_MEDIA_TYPE: {
    number: 8006,
    kind: 'unreadable',
    title: 'The content type is not supported.',
    happened: 'The request has a body whose `content-type` is not `application/json`.',
    mend: 'Send `content-type: application/json`. `curl -d` sends another content type: add `-H "content-type: application/json"`, or use `--json` instead of `-d` and `-H`.',
    retry: 'in-vain',
    near: ['VALIDATION_FAILED'],
  },
  UNAVAILABLE: {
    number: 8007,
    kind: 'unavailable',
    title: 'A part of the service is unavailable.',
    happened:
      'The service, or another system that it needs, cannot process this request now: the storage does not answer, the service is overloaded, too many event streams or uploads are open, or the service is shutting down for an update.',
    mend: 'Wait and try again; show players only a short delay. If the error continues, `GET /readyz` reports whether the storage can be reached, and the log of the service has the cause.',
    also: 'Every operation, and every request to a node that is shutting down.',
    retry: 'after-a-pause',
    near: ['RATE_LIMITED', 'CONFLICT', 'INTERNAL'],
  },
  CONFLICT: {
    number: 8008,
    kind: 'conflict',
    title: 'Another request changed this at the same time.',
    happened:
      'Other requests kept changing the same data, so this request stopped after several attempts; or the first request with the same `idempotency-key` is still in progress; or another upload to the same URL is still in progress. This request changed nothing.',
    mend: 'Send the request again. If the error is frequent, look for many players who write to one lobby at the same moment, and avoid writes that change nothing.',
    retry: 'at-once',
    near: ['IDEMPOTENCY_MISMATCH', 'UNAVAILABLE'],
  },
  INTERNAL: {
    number: 8009,
    kind: 'bug',
    title: 'Something went wrong on our side.',
    happened: 'An unexpected error happened inside the service. For security, the answer contains no details of it.',
    mend: 'Search the log of the service for the `request_id`: that line has the whole error. If you can reproduce the error, please report it with that line.',
    also: 'Every operation.',
    retry: 'in-doubt',
    near: ['UNAVAILABLE'],
  },
  IDEMPOTENCY_MISMATCH: {
    number: 8010,
    kind: 'mismatch',
    title: 'The idempotency key was used with another request.',
    happened:
      'The `idempotency-key` was used in the last 24 hours for the same operation with another body or another address. If a credential has more than about 4,000 recorded answers, its older answers count for only one hour.',
    mend: "Create a new random key for each new change, and use the same key only to repeat the same request. Do not build the key from, for example, a player id and a button name: tomorrow's request would have the same key.",
    retry: 'in-vain',
    near: ['CONFLICT'],
  },
})
