import { elsewhere, section } from './define'

export const EVENT_RULES = section('specification', 'Events', {
  'S-EVT-01': 'The stream requires `api-key` and `x-player-id`',
  'S-EVT-02': 'The stream stays open until the client disconnects or the lobby is deleted',
  'S-EVT-03': 'Each message has an `event:` name and a `data:` payload, the lobby object',
  'S-EVT-04': '`Last-Event-ID` resumes after that event',
})

export const EVENT_CONTRACT_RULES = section('contract', '§7 Events', {
  'C-7-01': 'The player must be a member: PLAYER_NOT_IN_LOBBY',
  'C-7-02': 'A server key may watch any lobby of its project, and names a player who need not be a member',
  'C-7-03': 'The first message is `connected`: the lobby now, with its id',
  'C-7-04': '`lobby_updated` comes after every change',
  'C-7-05': '`lobby_deleted` carries the last state, then the stream ends',
  'C-7-06': 'The data is always the full lobby object, as GET answers it',
  'C-7-07': 'A comment goes out every 15 s',
  'C-7-08': 'The event id is the lobby’s `version`: gapless, one event per commit, 1 the creation',
  'C-7-09': '`Last-Event-ID: n` replays every event after n, then goes on live, with no `connected`',
  'C-7-10': 'A `Last-Event-ID` that is garbage or above the version gives a `connected` snapshot',
  'C-7-11': '`Last-Event-ID` empty or 0 is a fresh start',
  'C-7-12': '`retry: 2000` is sent first',
  'C-7-13': 'For an hour after a deletion a member’s resume replays up to `lobby_deleted` and ends',
  'C-7-14': 'After a deletion everybody else, and after the hour everyone, finds LOBBY_NOT_FOUND',
  'C-7-15': 'A player who is removed gets the final `lobby_updated`, and the stream ends',
  'C-7-16': 'A revoked key’s streams end',
  'C-7-17': 'An open stream counts as a heartbeat',
  'C-7-18': 'At least 1,000 events are kept for a resume',
  'C-7-21': 'Events and their ids are the same on every node and after a restart',
  'C-7-19': elsewhere(
    'A reader that stalls is dropped past its buffer, and the others go on',
    'packages/http/test/event-stream.test.ts › is dropped once it is too far behind, and the others go on',
  ),
  'C-7-20': elsewhere(
    'On a socket, streams that are cut anywhere and resumed miss nothing and see nothing twice',
    'packages/http/test/event-replay.int.test.ts › streams that are cut again and again miss nothing and see nothing twice',
  ),
})

export const COMMAND_RULES = section('contract', '§9 The command', {
  'C-9-01': elsewhere(
    '`dev` prints three curl lines that work',
    'packages/server/test/dev.int.test.ts › dev prints three curl lines that work as pasted',
  ),
  'C-9-02': elsewhere(
    '`credentials.json` is private and complete, and its keys are used again at the next start',
    'packages/server/test/dev.int.test.ts › credentials.json is private, complete, and its keys are used again at the next start',
  ),
  'C-9-03': elsewhere(
    'Without `credentials.json` new keys are minted in the same demo project',
    'packages/server/test/dev.int.test.ts › a lost credentials.json means new keys in the same demo project, and a password that works',
  ),
  'C-9-04': elsewhere(
    'SIGTERM leaves game servers running, to be adopted; Ctrl-C stops them first',
    'packages/server/test/dev-signals.int.test.ts › SIGTERM leaves game servers running, the next start adopts them, and Ctrl-C stops them',
  ),
  'C-9-05': elsewhere(
    '`serve` refuses missing and weak secrets with one clear line each',
    'packages/server/test/serve-refusals.int.test.ts › serve tells every fault of its configuration at once, and repeats no secret',
  ),
  'C-9-06': elsewhere(
    '`serve` starts empty, without demo data',
    'packages/server/test/serve.int.test.ts › serve starts empty, prints nothing but its log, and each line of that is JSON',
  ),
  'C-9-07': elsewhere(
    '`serve` wants a token for `/metrics`',
    'packages/server/test/serve.int.test.ts › /metrics wants the token, and is closed where there is none',
  ),
  'C-9-08': '`/livez`, `/readyz` and `/openapi.json` are open',
  'C-9-09': '`/readyz` is UNAVAILABLE while the storage is down; `/livez` still answers',
  'C-9-10': '`/metrics` and `/reference` are served where the service is given them',
})
