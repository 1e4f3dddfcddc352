import type { ErrorText } from '../error-text'

export const RUNNING = {
  SERVER_NOT_FOUND: {
    happened: 'There is no game server of this id in the project. Servers of other projects read the same.',
    mend: "Take `instance_id` (`srv_…`) from `GET /v1/servers`, from a lobby's `server` or from a match. With a session, look whether the server is of the account that is signed in.",
    retry: 'in-vain',
    near: ['MATCH_NOT_FOUND', 'INVALID_SERVER_STATE'],
  },
  INVALID_SERVER_STATE: {
    happened:
      "The server is at another place of its life than the call needs. Restarting wants one that is `running`; a game server's own call comes too late when its attempt was given up.",
    mend: 'Read the server: while it is `launching`, wait until it runs; once it is `stopped` or `failed`, launch another one. A game server that is told this about itself should end.',
    details: '`status`: the state that it is in.',
    retry: 'when-changed',
    near: ['SERVER_NOT_FOUND', 'SERVER_LAUNCH_FAILED', 'INVALID_MATCH_STATE'],
  },
  SERVER_LAUNCH_FAILED: {
    happened:
      'A game server did not come up, after every attempt that it has. Its lobbies went back to `waiting`; the players may search again.',
    mend: 'Read what the server printed: `GET /v1/servers/{instance_id}/logs`. Most often the executable ends at once, does not listen on the port that it was told, or says too late that it is ready. `GET /v1/problems` puts the cause into a sentence, and the console shows it.',
    retry: 'never-answered',
    also: 'A lobby tells of it by the reason `launch_failed`, in `last_exit` and so in its events.',
    near: ['INVALID_SERVER_STATE', 'BUILD_NOT_READY'],
  },
  BUILD_NOT_FOUND: {
    happened: 'There is no build of this id in the project, or one that is deleted already was to be deleted again.',
    mend: 'Take `build_id` (`bld_…`) from `GET /v1/builds`; the name of a build is not its id. Deleted ones are listed with `status=deleted`.',
    retry: 'in-vain',
    near: ['BUILD_NOT_READY', 'BUILD_IN_USE'],
  },
  BUILD_NOT_READY: {
    happened:
      'A server is to be launched from a build whose name has no version that is `ready` and not disabled: none was uploaded, it is still being processed, its processing failed, or all are disabled; or the version that the queue pins is not. Where `use_version_from_state` is on, the name comes from `game_version` of the players.',
    mend: 'Look at `GET /v1/builds?name=…`. Upload the build, wait until it is `ready`, or correct `version_tag` (of the request, or of `server_settings` of the queue), or its `version`. A build that is `disabled` is enabled by `PATCH /v1/builds/{build_id}`. If one is `failed`, its `error_message` and its logs say why.',
    retry: 'when-changed',
    near: ['BUILD_NOT_FOUND', 'SERVER_LAUNCH_FAILED', 'PARTY_CANNOT_MATCH'],
  },
  BUILD_IN_USE: {
    happened: 'The build cannot be deleted, because a server that is launching or running was made from it.',
    mend: 'Stop those servers (`GET /v1/servers` shows their `build_id`), or wait until their matches are over. To have no more launched from it, disable it (`PATCH /v1/builds/{build_id}`) or upload a newer version of the same name first.',
    retry: 'when-changed',
    near: ['BUILD_NOT_FOUND', 'PROJECT_HAS_RUNNING_SERVERS'],
  },
  UPLOAD_REJECTED: {
    happened:
      'The upload URL does not take this archive: its 15 minutes are over, it was used, it was changed on the way, its build is gone, or the archive is not the one that was announced by `size` and `sha256`.',
    mend: 'Use `upload_url` byte for byte as it was answered; a shell needs quotes around it because of the `&`. If its time is over or it was used, ask for another one with `POST /v1/builds/upload-url`. If size or hash differ, the file has changed since they were taken.',
    retry: 'in-vain',
    near: ['PAYLOAD_TOO_LARGE', 'BUILD_NOT_FOUND', 'CONFLICT'],
  },
  PLAN_LIMIT_EXCEEDED: {
    happened:
      "The account's plan does not have what is asked for, or not so much of it. Limits count over all projects of the account.",
    mend: 'Free something (stop a server, delete a build), ask for less (another `tier`, `region` or `ttl`), or upgrade the plan with a session. On an installation of your own the operator sets the limits by `PLAN_LIMITS`.',
    details: '`limit`: which one; `plan`; `allowed`; `requested`.',
    retry: 'in-vain',
    near: ['PAYMENT_METHOD_REQUIRED', 'INVALID_PLAN_CHANGE'],
  },
  PAYMENT_METHOD_REQUIRED: {
    happened: 'The plan wants a card, and there is none, or the payment processor declined the one that was sent.',
    mend: 'Send `payment_method_token` of a card that the processor accepts, with the upgrade or by `PUT /v1/billing/payment-method`. In `dev`, and where `PAYMENTS=manual` is set, `pm_test_visa` is one.',
    retry: 'in-vain',
    near: ['PLAN_LIMIT_EXCEEDED', 'INVALID_PLAN_CHANGE'],
  },
  INVALID_PLAN_CHANGE: {
    happened:
      'An upgrade names the current plan or a lower one, a downgrade names a higher one, or the plan of the account is set by whoever runs the installation.',
    mend: 'Read `GET /v1/billing/plan` and use the other call: upgrades lead up and take effect at once, downgrades lead down at the end of the month. To undo a downgrade that is pending, downgrade to the current plan.',
    details: '`plan`: the current one; `requested`.',
    retry: 'in-vain',
    near: ['PLAN_LIMIT_EXCEEDED', 'PAYMENT_METHOD_REQUIRED'],
  },
  PROJECT_NOT_FOUND: {
    happened:
      'There is no project of this id in the account, or it was deleted. Projects of other accounts read the same.',
    mend: 'Take `project_id` (`prj_…`) from `GET /v1/projects`; the slug is not the id. Look whether the session is of the account that you mean.',
    retry: 'in-vain',
    near: ['KEY_NOT_FOUND', 'INVALID_SESSION_TOKEN'],
  },
  PROJECT_HAS_RUNNING_SERVERS: {
    happened: 'The project cannot be deleted while a server of it is `launching`, `running` or `stopping`.',
    mend: 'Stop its servers (`GET /v1/servers`, `DELETE /v1/servers/{instance_id}`), wait until they are `stopped`, and delete it then. Disable its queues first, or matchmaking launches new ones.',
    details: '`running`: how many there are.',
    retry: 'when-changed',
    near: ['BUILD_IN_USE', 'QUEUE_IN_USE', 'INVALID_SERVER_STATE'],
  },
} as const satisfies Readonly<Record<string, ErrorText>>
