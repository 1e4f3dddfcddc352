import { errorCodes } from '../error-row'

export const BUILD_ERRORS = errorCodes({
  BUILD_NOT_FOUND: {
    number: 3001,
    kind: 'absent',
    title: 'There is no such build.',
    happened: 'The project has no build with this id, or the request deletes a build that was already deleted.',
    mend: 'Take `build_id` (`bld_…`) from `GET /v1/builds`; the name of a build is not its id. Deleted ones are listed with `status=deleted`.',
    retry: 'in-vain',
    near: ['BUILD_NOT_READY', 'BUILD_IN_USE'],
  },
  BUILD_NOT_READY: {
    number: 3002,
    kind: 'conflict',
    title: 'There is no ready build of that name.',
    happened:
      'A server is to be launched from a build whose name has no version that is `ready` and not disabled: none was uploaded, it is still being processed, its processing failed, or all are disabled; or the version that the queue pins is not. Where `use_version_from_state` is on, the name comes from `game_version` of the players.',
    mend: 'Look at `GET /v1/builds?name=…`. Upload the build, wait until it is `ready`, or correct `version_tag` (of the request, or of `server_settings` of the queue), or its `version`. A build that is `disabled` is enabled by `PATCH /v1/builds/{build_id}`. If one is `failed`, its `error_message` and its logs say why.',
    retry: 'when-changed',
    near: ['BUILD_NOT_FOUND', 'SERVER_LAUNCH_FAILED', 'PARTY_CANNOT_MATCH'],
  },
  BUILD_IN_USE: {
    number: 3003,
    kind: 'conflict',
    title: 'A live server runs this build.',
    happened: 'The build cannot be deleted, because a server that is launching or running was made from it.',
    mend: 'Stop those servers (`GET /v1/servers` shows their `build_id`), or wait until their matches are over. So that no further servers are launched from this build, first disable it (`PATCH /v1/builds/{build_id}`), or upload a newer version with the same name.',
    retry: 'when-changed',
    near: ['BUILD_NOT_FOUND', 'PROJECT_HAS_RUNNING_SERVERS'],
  },
  UPLOAD_REJECTED: {
    number: 3004,
    kind: 'forbidden',
    title: 'The upload is not accepted.',
    happened:
      'The upload URL does not take this archive: its 15 minutes are over, it was used, it was changed on the way, its build is gone, or the archive is not the one that was announced by `size` and `sha256`.',
    mend: 'Use `upload_url` byte for byte as it was answered; a shell needs quotes around it because of the `&`. If its time is over or it was used, ask for another one with `POST /v1/builds/upload-url`. If size or hash differ, the file has changed since they were taken.',
    retry: 'in-vain',
    near: ['PAYLOAD_TOO_LARGE', 'BUILD_NOT_FOUND', 'CONFLICT'],
  },
})
