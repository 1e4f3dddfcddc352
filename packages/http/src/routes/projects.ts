import { sessionOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { playerAuth, playerAuthSettings } from '../wire/player-auth'
import { createdProject, newProject, project } from '../wire/project'
import { pageQuery } from '../wire/query'
import { listed, pageOf } from '../wire/shared'
import { created, NO_CONTENT, ok } from './answers'

const list = endpoint({
  operation: 'projects.list',
  method: 'get',
  path: '/v1/projects',
  summary: "The account's projects, oldest first.",
  query: pageQuery,
  success: ok(pageOf(project)),
  errors: [],
  async handle(call) {
    const { accountId } = sessionOf(call)
    const page = await call.matchyard.projects.list({ accountId, ...call.query })
    return listed(page, call.query)
  },
})

const create = endpoint({
  operation: 'projects.create',
  method: 'post',
  path: '/v1/projects',
  summary: 'Makes a project with a client key and a server key, their values shown this once.',
  body: newProject,
  success: created(createdProject),
  errors: ['PLAN_LIMIT_EXCEEDED'],
  async handle(call) {
    const { accountId } = sessionOf(call)
    const { project: made, keys } = await call.matchyard.projects.create({ accountId, ...call.body }, call.options)
    return { ...made, keys }
  },
})

const get = endpoint({
  operation: 'projects.get',
  method: 'get',
  path: '/v1/projects/{project_id}',
  summary: 'A project.',
  success: ok(project),
  errors: ['PROJECT_NOT_FOUND'],
  async handle(call) {
    const { accountId } = sessionOf(call)
    return call.matchyard.projects.get({ accountId, projectId: call.params.project_id })
  },
})

const remove = endpoint({
  operation: 'projects.delete',
  method: 'delete',
  path: '/v1/projects/{project_id}',
  summary: 'Deletes a project with its builds, queues, lobbies and keys; it cannot be undone.',
  success: NO_CONTENT,
  errors: ['PROJECT_NOT_FOUND', 'PROJECT_HAS_RUNNING_SERVERS'],
  async handle(call) {
    const { accountId } = sessionOf(call)
    await call.matchyard.projects.delete({ accountId, projectId: call.params.project_id }, call.options)
  },
})

const setPlayerAuth = endpoint({
  operation: 'projects.setPlayerAuth',
  method: 'put',
  path: '/v1/projects/{project_id}/player-auth',
  summary: 'Says how players of the project prove who they are; a generated secret is shown this once.',
  body: playerAuthSettings,
  success: ok(playerAuth),
  errors: ['PROJECT_NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED'],
  async handle(call) {
    const { accountId } = sessionOf(call)
    const input = { ...call.body, accountId, projectId: call.params.project_id }
    return call.matchyard.projects.setPlayerAuth(input, call.options)
  },
})

const getPlayerAuth = endpoint({
  operation: 'projects.getPlayerAuth',
  method: 'get',
  path: '/v1/projects/{project_id}/player-auth',
  summary: 'How players of the project prove who they are, without secrets.',
  success: ok(playerAuth),
  errors: ['PROJECT_NOT_FOUND'],
  async handle(call) {
    const { accountId } = sessionOf(call)
    return call.matchyard.projects.getPlayerAuth({ accountId, projectId: call.params.project_id })
  },
})

export const PROJECT_ENDPOINTS: readonly Endpoint[] = [list, create, get, remove, setPlayerAuth, getPlayerAuth]
