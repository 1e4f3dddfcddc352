import { errorCodes } from '../error-row'

export const BUILD_ERRORS = errorCodes({
  BUILD_NOT_FOUND: {
    number: 3001,
    kind: 'absent',
    title: 'There is no such build.',
    happened: 'The project has no build with this id, or the build that you want to delete was already deleted.',
    mend: 'Take `build_id` (`bld_…`) from `GET /v1/builds`; the name of a build is not its id. `GET /v1/builds?status=deleted` lists deleted builds.',
    retry: 'in-vain',
    near: ['BUILD_NOT_READY', 'BUILD_IN_USE'],
  },
  BUILD_NOT_READY: {
    number: 3002,
    kind: 'conflict',
    title: 'No build with this name is ready.',
    happened:
      "A server must be launched from a build, but the build name has no version that is `ready` and enabled: no version was uploaded, the newest is still being processed, its processing failed, or all versions are disabled. If the queue pins a version, that version is not `ready` or is disabled. If `use_version_from_state` is on, the players' `game_version` is used as the build name.",
    mend: 'Read `GET /v1/builds?name=…` to see the status of each version. Upload the build, wait until it is `ready`, or correct `version_tag` or `version` in the request or in `server_settings` of the queue. To enable a disabled build, send `PATCH /v1/builds/{build_id}` with `disabled: false`. If a build is `failed`, its `error_message` and its logs give the cause.',
    retry: 'when-changed',
    near: ['BUILD_NOT_FOUND', 'SERVER_LAUNCH_FAILED', 'PARTY_CANNOT_MATCH'],
  },
  BUILD_IN_USE: {
    number: 3003,
    kind: 'conflict',
    title: 'A live server runs this build.',
    happened: 'The build cannot be deleted, because a server that is launching or running uses it.',
    mend: 'Stop those servers (`GET /v1/servers` shows their `build_id`), or wait until their matches are over. To prevent new servers from using this build, first disable it (`PATCH /v1/builds/{build_id}`) or upload a newer version with the same name.',
    retry: 'when-changed',
    near: ['BUILD_NOT_FOUND', 'PROJECT_HAS_RUNNING_SERVERS'],
  },
  UPLOAD_REJECTED: {
    number: 3004,
    kind: 'forbidden',
    title: 'The upload was rejected.',
    happened:
      'The upload URL cannot be used for this archive: the URL is older than 15 minutes, was already used, was changed on the way, or belongs to a deleted build; or the archive does not match the `size` and `sha256` that were sent when the URL was requested.',
    mend: 'Use `upload_url` exactly as the service returned it; in a shell, put it in quotes because it contains `&`. If the URL has expired or was already used, request a new one with `POST /v1/builds/upload-url`. If the size or hash differs, the file has changed since they were computed.',
    retry: 'in-vain',
    near: ['PAYLOAD_TOO_LARGE', 'BUILD_NOT_FOUND', 'CONFLICT'],
  },
})
