import { errorCodes } from '../error-row'

export const SERVER_ERRORS = errorCodes({
  SERVER_NOT_FOUND: {
    number: 2001,
    kind: 'absent',
    title: 'There is no such server.',
    happened: 'The project has no game server with this id. A server of another project gets the same answer.',
    mend: "Take `instance_id` (`srv_…`) from `GET /v1/servers`, from a lobby's `server` or from a match. If you use a session token, check that the server belongs to the signed-in account.",
    retry: 'in-vain',
    near: ['MATCH_NOT_FOUND', 'INVALID_SERVER_STATE'],
  },
  INVALID_SERVER_STATE: {
    number: 2002,
    kind: 'conflict',
    title: 'The server is not in a state that allows this.',
    happened:
      'The server has a `status` in which this operation is not possible. Only a `running` server can be restarted. A game server gets this error for its own request if the service has already replaced or stopped it.',
    mend: 'Read the server: if it is `launching`, wait until it is `running`; if it is `stopped` or `failed`, launch another one. A game server that gets this error for its own id should exit.',
    details: '`status`: the current status of the server.',
    retry: 'when-changed',
    near: ['SERVER_NOT_FOUND', 'SERVER_LAUNCH_FAILED', 'INVALID_MATCH_STATE'],
  },
  SERVER_LAUNCH_FAILED: {
    number: 2003,
    kind: 'failed',
    title: 'The game server could not be launched.',
    happened:
      'A game server did not become ready, and all launch attempts are used. The lobbies of its match returned to `waiting`; the players can start matchmaking again.',
    mend: 'Read the output of the server: `GET /v1/servers/{instance_id}/logs`. The usual causes are that the executable exits immediately, does not listen on the ports in its environment (`PORT_…`), or reports too late that it is ready. `GET /v1/problems` and the console describe the cause in one sentence.',
    retry: 'never-answered',
    also: 'Lobbies show it as the reason `launch_failed` in `last_exit`, also in their events.',
    near: ['INVALID_SERVER_STATE', 'BUILD_NOT_READY'],
  },
  MACHINE_NOT_FOUND: {
    number: 2004,
    kind: 'absent',
    title: 'There is no such machine.',
    happened: 'No machine of the installation has this id. Its record was removed, or its node never started.',
    mend: 'Take `machine_id` from `GET /v1/machines` or from `matchyard machines list`.',
    retry: 'in-vain',
    near: ['NOT_FOUND', 'SERVER_NOT_FOUND'],
  },
})
