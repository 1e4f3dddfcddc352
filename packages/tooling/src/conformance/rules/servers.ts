import { elsewhere, section } from './define'

export const SERVER_RULES = section('specification', 'Resources: Server summary, Port mapping, Regions', {
  'S-SRV-01': 'A lobby’s server summary is `instance_id`, `region`, `status`, `match_id`, `network_ports`, no more',
  'S-SRV-02': 'The full server object is read with GET /v1/servers/{instance_id} and a server key',
  'S-SRV-03': 'A port mapping answers `external_port`, `host` and `tls_enabled` beside what was configured',
  'S-SRV-04': 'There are 16 region codes; every region is available at the API level, any other code is refused',
})

export const SERVER_CONTRACT_RULES = section('contract', '§8 Servers', {
  'C-8-01': 'POST answers 201 with the server in `launching` and every field of the full object',
  'C-8-02': 'GET /v1/servers is an envelope with filters `status`, `region`, `match_id`, `version_tag`',
  'C-8-03': 'DELETE answers 200 with the server in `stopping`; an ended one is answered unchanged',
  'C-8-04': 'Restart answers 200; INVALID_SERVER_STATE unless `running`',
  'C-8-05': 'Logs are `instance_id` and `logs` of `timestamp`, `stream`, `message`, by `limit` and `since`',
  'C-8-06': 'A server moves `launching` → `running` → `stopping` → `stopped`',
  'C-8-07': 'Not `running` within `launch_timeout` (60 s) it is `failed`',
  'C-8-08': 'A launch is tried at most 3 times, then the server is `failed` and its lobbies are `waiting`',
  'C-8-09': '`ttl` is at least 60 s',
  'C-8-10': 'With `auto_restart` a crash restarts in place, the same `instance_id`, at most 5 in a row, else `failed`',
  'C-8-11': '`protocol` is `udp`, `tcp` or `tcp+udp`; `tls_enabled` only with `tcp`',
  'C-8-12': 'The default tier is `1x-1g`, the default region `iad`',
  'C-8-13': 'An unclosed quote in `startup_args` is VALIDATION_FAILED',
  'C-8-14': 'An exit with code 0 is `stopped`, also with `auto_restart`',
  'C-8-15':
    'Another exit without `auto_restart` is `failed`, with `exit_code`, or null and the signal in `stop_reason`',
  'C-8-16': '`expires_at` counts from `running_at`; it and `ttl` are null when unlimited',
  'C-8-17': 'At its ttl a server is stopped',
  'C-8-18': 'A server without a `ready` build of its tag is BUILD_NOT_READY',
  'C-8-19': 'The configuration file holds the fields of the contract and none of the project’s API keys',
  'C-8-20': 'A game server calls ready, heartbeat and shutdown with the token of its own file',
  'C-8-21': 'Anything else on the self calls is MISSING_CREDENTIALS or CREDENTIAL_NOT_ALLOWED',
  'C-8-22': 'Servers take a server key or a session; another project’s are SERVER_NOT_FOUND',
  'C-8-23': 'With a session, a list or a create of servers without `project_id` is VALIDATION_FAILED naming it',
  'C-8-24': '`custom_data` in the file is the queue’s, `settings` the longest-waiting lobby’s, `teams` the match’s',
  'C-8-25':
    'A start with no `ready` build goes on to `starting` and back to `waiting`, the reason in the server object',
  'C-8-26': 'Port names that collide as PORT_<NAME> are VALIDATION_FAILED',
  'C-8-30': 'A game server that shuts itself down ends its match',
  'C-8-31': 'A server that calls `ready` is `running`, and its lobbies are `in_game`',
  'C-8-27': elsewhere(
    'Stop is SIGTERM, grace, SIGKILL; the whole tree of processes goes',
    'packages/testkit/src/conformance/orchestrator/end-cases.ts › a server that does not mind is killed when the grace is over',
  ),
  'C-8-28': elsewhere(
    'A sandboxed game server has its own `/svc` and sees nothing of the machine',
    'packages/orchestrator/test/process/isolation.int.test.ts › sees neither the data of the service nor its keys',
  ),
  'C-8-29': elsewhere(
    'Without isolation each launch gets its own copy',
    'packages/orchestrator/test/process/isolation.int.test.ts › says so, and each launch has its own copy',
  ),
})
