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
    near: ['KEY_NOT_FOUND', 'INVALID_SESSION_TOKEN'],
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
})
