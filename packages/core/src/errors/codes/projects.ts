import { errorCodes } from '../error-row'

export const PROJECT_ERRORS = errorCodes({
  PROJECT_NOT_FOUND: {
    number: 7001,
    kind: 'absent',
    title: 'There is no such project.',
    happened:
      'The account has no project with this id, or the project was deleted. A project of another account gets the same answer.',
    mend: 'Take `project_id` (`prj_…`) from `GET /v1/projects`; the slug is not the id. Check that the session token belongs to the right account.',
    retry: 'in-vain',
    near: ['KEY_NOT_FOUND', 'INVALID_SESSION_TOKEN', 'ROLE_NOT_ALLOWED'],
  },
  PROJECT_HAS_RUNNING_SERVERS: {
    number: 7002,
    kind: 'conflict',
    title: 'Servers still run in the project.',
    happened: 'The project cannot be deleted while one of its servers is `launching`, `running` or `stopping`.',
    mend: 'Stop its servers (`GET /v1/servers`, `DELETE /v1/servers/{instance_id}`), wait until they are `stopped`, and then delete the project. Disable its queues first, otherwise matchmaking launches new servers.',
    details: '`running`: the number of these servers.',
    retry: 'when-changed',
    near: ['BUILD_IN_USE', 'QUEUE_IN_USE', 'INVALID_SERVER_STATE'],
  },
  ROLE_NOT_ALLOWED: {
    number: 7003,
    kind: 'forbidden',
    title: 'Your role in the project does not allow this.',
    happened:
      'The session belongs to a member of the project, or the server key was created by one, and the role of the member or of the key is lower than the least role of the call. `detail` names both roles. Nothing was changed.',
    mend: 'Ask an administrator or an owner of the project for a higher role, or ask a member with the role to make the call. The list of members shows all roles. A new role also applies to the server keys of the member.',
    details: '`role`: the role of the caller; `needs`: the least role of the call.',
    retry: 'in-vain',
    near: ['CREDENTIAL_NOT_ALLOWED', 'PROJECT_NOT_FOUND', 'MEMBER_NOT_FOUND'],
  },
  MEMBER_NOT_FOUND: {
    number: 7004,
    kind: 'absent',
    title: 'There is no such member.',
    happened:
      'The account in the path is no member of the project: it never joined, it was removed, or it left. The account that owns the project is no member either; its role cannot be changed.',
    mend: 'Take `account_id` (`acc_…`) from `GET /v1/projects/{project_id}/members`.',
    retry: 'in-vain',
    near: ['PROJECT_NOT_FOUND', 'ROLE_NOT_ALLOWED', 'INVITATION_NOT_FOUND'],
  },
  INVITATION_NOT_FOUND: {
    number: 7005,
    kind: 'absent',
    title: 'There is no such invitation.',
    happened:
      'The token or the id of the invitation is not accepted: the invitation was used, was cancelled, is more than seven days old, or was never made. An invitation works once. When a member is removed, the invitations that this member made end too.',
    mend: 'Ask an administrator of the project for another invitation, and use the whole token: `inv_live_` followed by 36 characters.',
    retry: 'in-vain',
    near: ['MEMBER_NOT_FOUND', 'INVALID_LOGIN', 'REGISTRATION_CLOSED'],
  },
  PROBLEM_NOT_FOUND: {
    number: 7006,
    kind: 'absent',
    title: 'There is no such open problem.',
    happened:
      'The project has no open problem with this id. A problem is closed when it has not existed for five minutes, and nobody can acknowledge or mute it then.',
    mend: 'Take `id` (`prb_…`) from `GET /v1/problems`.',
    retry: 'in-vain',
    near: ['PROJECT_NOT_FOUND', 'ROLE_NOT_ALLOWED'],
  },
})
