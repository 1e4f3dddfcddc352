import { elsewhere, section } from './define'

export const BUILD_RULES = section('specification', 'Resources: Build, Upload-URL; Build status; Builds', {
  'S-BLD-01': 'A zip build has `executable_path` and no `image_url`; its fields are those of the table',
  'S-BLD-02': 'A docker_image build has `image_url` and no `executable_path`',
  'S-BLD-03': '`version` is monotonic and assigned per build name',
  'S-BLD-04': '`error_message` is a short reason when `failed`, null otherwise; the logs hold the full output',
  'S-BLD-05': 'An upload-URL response is `build_id`, `upload_url`, `expires_at`, `build`; the build starts `uploading`',
  'S-BLD-06': 'When the ZIP upload completes the build is `processing`',
  'S-BLD-07': 'Processing that succeeds makes the build `ready`',
  'S-BLD-08': 'Processing that fails makes the build `failed`, with its error_message set',
  'S-BLD-09': 'A registered image is `processing`, and is then pulled and validated',
  'S-BLD-10': 'With a session, `project_id` names the project; another account’s is PROJECT_NOT_FOUND, never a 403',
  'S-BLD-11': 'With an API key, `project_id` is ignored',
  'S-BLD-12': 'GET /v1/builds/{build_id} answers the build to either credential',
})

export const BUILD_CONTRACT_RULES = section('contract', '§4 Builds', {
  'C-4-01': 'upload-url answers 201 with a URL that lives 15 minutes',
  'C-4-02': 'An upload URL takes one upload: the second use is UPLOAD_REJECTED',
  'C-4-03': 'Past its 15 minutes the URL is UPLOAD_REJECTED and the build is `failed` ("upload expired")',
  'C-4-04': 'The PUT answers 204, also when processing then finds the archive bad',
  'C-4-05': 'A refused attempt does not spend the URL',
  'C-4-06': 'docker-image answers 201 with the build in `processing`',
  'C-4-07': 'GET /v1/builds is an envelope with filters `name`, `status`, `build_type`; deleted ones only when asked',
  'C-4-08': 'DELETE answers 204; the build is then `deleted` and still read by id; a second DELETE is BUILD_NOT_FOUND',
  'C-4-09': 'A build that a live server runs is not deleted: BUILD_IN_USE',
  'C-4-10': 'Logs are `build_id` and `logs` of `timestamp`, `level`, `message`',
  'C-4-11': 'Version numbers are never used again',
  'C-4-12': '`version` is 1, 2, 3 … per (project, name) without a gap, also under concurrency',
  'C-4-13': '`executable_path` is relative and without `..`, else VALIDATION_FAILED at upload-url',
  'C-4-14': '`image_url` is an OCI reference: no scheme, no user info, a lower-case path',
  'C-4-15': 'With a session, a list or a create without `project_id` is VALIDATION_FAILED naming it',
  'C-4-16': 'On an addressed build the resource decides and the query’s `project_id` is ignored',
  'C-4-17': 'A build’s name matches `^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$`',
  'C-4-18': 'A server launched by `version_tag` runs the newest `ready` version, pinned at launch',
  'C-4-19': 'A build of another project is BUILD_NOT_FOUND',
  'C-4-20': 'A forged or altered upload signature is UPLOAD_REJECTED',
  'C-4-21': elsewhere(
    'An archive with path traversal is refused, naming the entry',
    'packages/build-store/test/fs/hostile.test.ts › refuses what is not UTF-8, whatever the archive claims',
  ),
  'C-4-22': elsewhere(
    'An archive with links or encrypted entries is refused',
    'packages/build-store/test/fs/hostile.test.ts › refuses encryption and other packing methods',
  ),
  'C-4-23': elsewhere(
    'Too many entries, too much unpacked and ratios over 200:1 are refused',
    'packages/build-store/test/fs/hostile.test.ts › refuses more entries than allowed, whatever the count at the end says',
  ),
  'C-4-24': elsewhere(
    'An archive needs a regular file at `executable_path`',
    'packages/build-store/test/fs/hostile.test.ts › must be a regular file of exactly that name',
  ),
})
