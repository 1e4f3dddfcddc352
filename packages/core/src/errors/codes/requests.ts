import { errorCodes } from '../error-row'

export const REQUEST_ERRORS = errorCodes({
  VALIDATION_FAILED: {
    number: 8001,
    kind: 'invalid',
    title: 'The request is not valid.',
    happened:
      'The body, the query or a header is not of the form that is asked for: a field is missing, misspelled, of the wrong kind or out of its bounds. Unknown fields are refused too, so that a misspelled setting does not pass in silence.',
    mend: 'Each entry of `details.issues` says in `path` which field, spelled as you sent it, and in `message` what it should be. Mend them all at once: the list is complete up to twenty.',
    details: '`issues`: a list of `{path, message}`.',
    retry: 'in-vain',
    near: ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'INVALID_PLAYER_ID'],
  },
  NOT_FOUND: {
    number: 8002,
    kind: 'absent',
    title: 'There is no such route or delivery.',
    happened:
      'Nothing answers at this path: it is misspelled, lacks `/v1`, has a slash too many, or belongs to a part that this installation does not have. Of a webhook: there is no such delivery.',
    mend: 'Compare the path with the reference, and the base address of your client: it ends at the host, or at the prefix under which the service is mounted. An id that is empty makes another path.',
    also: 'Every path that the service does not have.',
    retry: 'in-vain',
    near: ['METHOD_NOT_ALLOWED', 'LOBBY_NOT_FOUND', 'WEBHOOK_NOT_FOUND'],
  },
  METHOD_NOT_ALLOWED: {
    number: 8003,
    kind: 'unsuited',
    title: 'The route does not take this method.',
    happened: 'The path is right and does not take this method.',
    mend: 'Use one of those that the header `allow` lists. A form or a redirect may have turned a POST into a GET: look whether the address says `https` where the service does.',
    also: 'Every path of the service, with a method that it does not have.',
    retry: 'in-vain',
    near: ['NOT_FOUND'],
  },
  RATE_LIMITED: {
    number: 8004,
    kind: 'too_many',
    title: 'Too many requests.',
    happened:
      'Too much came from one player, one account or one address in too short a time: lobbies made, lobbies joined, event streams opened, changes, or logins that failed. The call was not looked at, and nothing was done.',
    mend: 'Wait, and look why it is so much: a state that is written in every frame, a search that is begun anew on every failure. Write states when they change. On `serve` the operator sets the figures by `RATE_LIMIT_CREATIONS`, `RATE_LIMIT_JOINS`, `RATE_LIMIT_STREAMS` and `RATE_LIMIT_WRITES`; a server key is not braked, but calls that have the service work outside itself are limited for each project (`WORK_LIMITS`), and accounts by `REGISTRATION_PER_HOUR`. An operator who is locked out signs in by `matchyard accounts sign-in-code`.',
    details: '`policy`: which limit; `retry_after_seconds`.',
    retry: 'after-a-pause',
    near: ['UNAVAILABLE', 'PLAYER_COOLING_DOWN'],
  },
  PAYLOAD_TOO_LARGE: {
    number: 8005,
    kind: 'too_large',
    title: 'The payload is too large.',
    happened:
      'The body is larger than 64 kB, an archive is larger than the installation takes, or a lobby would become larger than 256 kB with all in it.',
    mend: 'Send less: `settings` and `state` are for what others must know to play together, at most 16 kB each; keep the rest in a store of your own and send its id.',
    details: '`limit`: the bytes that are allowed, where it is an archive.',
    retry: 'in-vain',
    near: ['VALIDATION_FAILED', 'UPLOAD_REJECTED'],
  },
  UNSUPPORTED_MEDIA_TYPE: {
    number: 8006,
    kind: 'unreadable',
    title: 'The content type is not supported.',
    happened: 'There is a body, and its `content-type` is not `application/json`.',
    mend: 'Send `content-type: application/json`. `curl -d` sends another content type: add `-H "content-type: application/json"`, or use `--json` instead of `-d` and `-H`.',
    retry: 'in-vain',
    near: ['VALIDATION_FAILED'],
  },
  UNAVAILABLE: {
    number: 8007,
    kind: 'unavailable',
    title: 'A part of the service is unavailable.',
    happened:
      'The service, or something that it leans on, cannot do this right now: the storage does not answer, more is asked for than can be done, too many streams or uploads are open, or the service shuts down for an update.',
    mend: 'Wait and go on; players need to see no more than that it takes a moment. If it lasts, `GET /readyz` says whether the storage is reached, and the log of the service has the cause.',
    also: 'Every operation, and a node that shuts down.',
    retry: 'after-a-pause',
    near: ['RATE_LIMITED', 'CONFLICT', 'INTERNAL'],
  },
  CONFLICT: {
    number: 8008,
    kind: 'conflict',
    title: 'Another request changed this at the same time.',
    happened:
      'Others kept changing the same thing until this call gave up, or the first call with the same `idempotency-key` is still under way. An upload: another one to the same URL is under way. Nothing was done.',
    mend: 'Send it again. If it comes often, look for players who all write to one lobby at the same instant, and avoid writes that change nothing.',
    retry: 'at-once',
    near: ['IDEMPOTENCY_MISMATCH', 'UNAVAILABLE'],
  },
  INTERNAL: {
    number: 8009,
    kind: 'bug',
    title: 'Something went wrong on our side.',
    happened: 'The service met a fault of its own. Nothing about it stands in the answer, on purpose.',
    mend: 'Find `request_id` in the log of the service: the line has the whole error. If it can be made to happen again, please report it with that line.',
    also: 'Every operation.',
    retry: 'in-doubt',
    near: ['UNAVAILABLE'],
  },
  IDEMPOTENCY_MISMATCH: {
    number: 8010,
    kind: 'mismatch',
    title: 'The idempotency key was used with another request.',
    happened:
      'The `idempotency-key` was used in the last 24 hours for the same operation with another body or another address.',
    mend: 'Draw a new key for each change that is meant anew, and keep it only for sending the same request again. A key made of a player and a button, for example, is the same tomorrow.',
    retry: 'in-vain',
    near: ['CONFLICT'],
  },
})
