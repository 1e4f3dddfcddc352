import { sessionOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { budget, newBudget } from '../wire/budget'
import { playerAuth, playerAuthSettings } from '../wire/player-auth'
import { createdProject, newProject, project } from '../wire/project'
import { pageQuery } from '../wire/query'
import { created, NO_CONTENT, ok, page } from './answers'

const list = endpoint({
  operation: 'projects.list',
  method: 'get',
  path: '/v1/projects',
  summary: "Lists the account's projects, oldest first.",
  query: pageQuery,
  success: page(project),
})

const create = endpoint({
  operation: 'projects.create',
  method: 'post',
  path: '/v1/projects',
  summary: 'Creates a project with a client key and a server key; their values are shown only once.',
  body: newProject,
  success: created(createdProject),
  async handle(call) {
    const { accountId } = sessionOf(call)
    const { project: made, keys } = await call.matchyard.projects.create({ accountId, ...call.body }, call.options)
    return { ...made, role: 'owner' as const, keys }
  },
})

const get = endpoint({
  operation: 'projects.get',
  method: 'get',
  path: '/v1/projects/{project_id}',
  summary: 'Returns a project.',
  success: ok(project),
})

const remove = endpoint({
  operation: 'projects.delete',
  method: 'delete',
  path: '/v1/projects/{project_id}',
  summary: 'Deletes a project with its builds, queues, lobbies and keys; it cannot be undone.',
  success: NO_CONTENT,
})

const setPlayerAuth = endpoint({
  operation: 'projects.setPlayerAuth',
  method: 'put',
  path: '/v1/projects/{project_id}/player-auth',
  summary: 'Sets how players of the project prove their identity; a generated secret is shown only once.',
  body: playerAuthSettings,
  success: ok(playerAuth),
})

const getPlayerAuth = endpoint({
  operation: 'projects.getPlayerAuth',
  method: 'get',
  path: '/v1/projects/{project_id}/player-auth',
  summary: 'Returns how players of the project prove their identity, without secrets.',
  success: ok(playerAuth),
})

const setBudget = endpoint({
  operation: 'projects.setBudget',
  method: 'put',
  path: '/v1/projects/{project_id}/budget',
  summary: 'Sets the amount that a month of the project may cost before the service warns; it stops no servers.',
  body: newBudget,
  success: ok(budget),
})

const getBudget = endpoint({
  operation: 'projects.getBudget',
  method: 'get',
  path: '/v1/projects/{project_id}/budget',
  summary: 'Returns the budget of the project, with the cost of the present month and its forecast.',
  success: ok(budget),
})

export const PROJECT_ENDPOINTS: readonly Endpoint[] = [
  ...[list, create, get, remove],
  ...[setPlayerAuth, getPlayerAuth, setBudget, getBudget],
]
