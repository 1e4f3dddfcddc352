import { errorCodes } from '../error-row'

export const SERVER_ERRORS = errorCodes({
  SERVER_NOT_FOUND: {
    number: 2001,
    kind: 'absent',
    title: 'There is no such server.',
    happened: 'There is no game server of this id in the project. Servers of other projects read the same.',
    mend: "Take `instance_id` (`srv_…`) from `GET /v1/servers`, from a lobby's `server` or from a match. With a session, look whether the server is of the account that is signed in.",
    retry: 'in-vain',
    near: ['MATCH_NOT_FOUND', 'INVALID_SERVER_STATE'],
  },
  INVALID_SERVER_STATE: {
    number: 2002,
    kind: 'conflict',
    title: 'The server is not in a state that allows this.',
    happened:
      "The server is at another place of its life than the call needs. Restarting wants one that is `running`; a game server's own call comes too late when its attempt was given up.",
    mend: 'Read the server: while it is `launching`, wait until it runs; once it is `stopped` or `failed`, launch another one. A game server that gets this error for its own id should exit.',
    details: '`status`: the state that it is in.',
    retry: 'when-changed',
    near: ['SERVER_NOT_FOUND', 'SERVER_LAUNCH_FAILED', 'INVALID_MATCH_STATE'],
  },
  SERVER_LAUNCH_FAILED: {
    number: 2003,
    kind: 'failed',
    title: 'The game server could not be launched.',
    happened:
      'A game server did not come up, after every attempt that it has. Its lobbies went back to `waiting`; the players may search again.',
    mend: 'Read what the server printed: `GET /v1/servers/{instance_id}/logs`. Most often the executable ends at once, does not listen on the port that it was told, or says too late that it is ready. `GET /v1/problems` puts the cause into a sentence, and the console shows it.',
    retry: 'never-answered',
    also: 'A lobby tells of it by the reason `launch_failed`, in `last_exit` and so in its events.',
    near: ['INVALID_SERVER_STATE', 'BUILD_NOT_READY'],
  },
})
