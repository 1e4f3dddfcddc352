import { projectOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { ban, banSettings, bansQuery } from '../wire/ban'
import { projectQuery } from '../wire/query'
import { walkablePageOf } from '../wire/shared'
import { NO_CONTENT, ok } from './answers'

const set = endpoint({
  operation: 'bans.set',
  method: 'put',
  path: '/v1/players/{player_id}/ban',
  summary: "Bans a player from the project or from some queues, in place of the player's present ban.",
  query: projectQuery,
  body: banSettings,
  bodyOptional: true,
  success: ok(ban),
})

const get = endpoint({
  operation: 'bans.get',
  method: 'get',
  path: '/v1/players/{player_id}/ban',
  summary: 'Returns the ban of a player.',
  query: projectQuery,
  success: ok(ban),
})

const lift = endpoint({
  operation: 'bans.delete',
  method: 'delete',
  path: '/v1/players/{player_id}/ban',
  summary: 'Lifts the ban of a player.',
  query: projectQuery,
  success: NO_CONTENT,
})

const list = endpoint({
  operation: 'bans.list',
  method: 'get',
  path: '/v1/bans',
  summary: "Lists the project's bans, newest first, with those that ended in the last 30 days.",
  query: bansQuery,
  success: ok(walkablePageOf(ban)),
  async handle(call) {
    const { cursor, limit, offset } = call.query
    const bans = await call.matchyard.bans.list({ projectId: await projectOf(call), cursor, limit, offset })
    return { ...bans, limit, offset }
  },
})

export const BAN_ENDPOINTS: readonly Endpoint[] = [set, get, lift, list]
