import { errorCodes } from '../error-row'

export const PROJECT_ERRORS = errorCodes({
  PROJECT_NOT_FOUND: {
    number: 7001,
    kind: 'absent',
    title: 'There is no such project.',
    happened:
      'There is no project of this id in the account, or it was deleted. Projects of other accounts read the same.',
    mend: 'Take `project_id` (`prj_…`) from `GET /v1/projects`; the slug is not the id. Check that the session belongs to the account that you mean.',
    retry: 'in-vain',
    near: ['KEY_NOT_FOUND', 'INVALID_SESSION_TOKEN'],
  },
  PROJECT_HAS_RUNNING_SERVERS: {
    number: 7002,
    kind: 'conflict',
    title: 'Servers still run in the project.',
    happened: 'The project cannot be deleted while a server of it is `launching`, `running` or `stopping`.',
    mend: 'Stop its servers (`GET /v1/servers`, `DELETE /v1/servers/{instance_id}`), wait until they are `stopped`, and delete it then. Disable its queues first, or matchmaking launches new ones.',
    details: '`running`: how many there are.',
    retry: 'when-changed',
    near: ['BUILD_IN_USE', 'QUEUE_IN_USE', 'INVALID_SERVER_STATE'],
  },
})
