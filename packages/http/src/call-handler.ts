import type { CredentialKind } from '@matchyard/core'
import { accountOn, authorOf, gameServerOf, keyOf, ownerOf, projectOf, sessionOf } from './callers'
import type { Call, Endpoint, Handler } from './endpoint'
import { OPERATIONS } from './operations'
import { paramNames } from './route-table'
import { wireName } from './wire/codec/wire-names'
import { listed } from './wire/shared'

type AnyCall = Call<Record<string, string>, unknown, unknown>
type Input = Record<string, unknown>
/** Returns the value of one input field, read from a call. */
type Reader = (call: AnyCall) => unknown

/**
 * Returns the handler that calls the operation of a route. The input comes from the query, the body, the path
 * parameters and the caller's credential. The source of each field is determined here, once for all calls. Throws for a
 * field that has no source.
 */
export function callHandler(endpoint: Endpoint): Handler {
  const { operation, method, path, query, body, success } = endpoint
  const { place, fields: all, credentials } = OPERATIONS[operation]
  const fields = all.map(({ name }) => name)
  if (place === undefined) throw new Error(`${operation} is no call of the service: its route needs a handler`)
  const [group, member] = place
  const sent = new Set([...sentFields(query), ...sentFields(body)])
  const params = new Map(paramNames(path).map((param) => [fieldOf(param, fields), param]))
  if (params.has(undefined)) throw new Error(`${operation}: a parameter of ${path} is no field of its input`)
  // A session names its project in the query; `projectOf` checks the rights of the session's account in the project.
  const namesProject = credentials.includes('session') && !fields.includes('accountId') && !params.has('projectId')
  const filled = all.flatMap(({ name: field, isOptional }): (readonly [field: string, read: Reader])[] => {
    const param = params.get(field)
    if (param !== undefined) return [[field, (call) => call.params[param]]]
    if ((namesProject && field === 'projectId') || field === 'changes') return []
    const read = field === 'accountId' && params.has('projectId') ? accountOfPath : readerOf(field, fields, credentials)
    if (read !== undefined) return [[field, read]]
    if (sent.has(field) || isOptional) return []
    throw new Error(`${operation}: the route has nothing for the field ${field}`)
  })
  const isChange = fields.includes('changes')
  return async (call) => {
    const input: Input = isChange ? { changes: call.body } : Object.assign({}, call.query, call.body)
    for (const [field, read] of filled) input[field] = read(call)
    if (namesProject) input.projectId = await projectOf(call as never)
    const calls = (call.matchyard as unknown as Calls)[group]
    if (calls?.[member] === undefined) throw new Error(`this service has no call ${group}.${member}`)
    if (success.isPage !== true) return method === 'get' ? calls[member](input) : calls[member](input, call.options)
    return listed((await calls[member](input)) as never, call.query as never)
  }
}

/** Returns the account that owns the project in the path, for a session of the account or of a member. */
const accountOfPath: Reader = (call) => accountOn(call, call.params.project_id ?? '')

type Calls = Readonly<Record<string, Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>>>

const sentFields = (codec: Endpoint['body']): Iterable<string> =>
  codec?.names !== undefined && 'fields' in codec.names ? codec.names.fields.keys() : []

/**
 * Returns the input field that a path parameter fills. `{player_id}` fills the field of the player whom the call is
 * about, and `{account_id}` that of the account that the call is about. It fills `playerId`, the acting player, or
 * `accountId`, the acting account, only if the input has no other such field.
 */
function fieldOf(param: string, fields: readonly string[]): string | undefined {
  const called = fields.filter((field) => wireName(field) === param)
  return called.find((field) => field !== 'playerId' && field !== 'accountId') ?? called[0]
}

/**
 * Returns a function that reads an input field from the caller's credential or player; undefined for a field that the
 * caller sends.
 */
function readerOf(
  field: string,
  fields: readonly string[],
  credentials: readonly CredentialKind[],
): Reader | undefined {
  // With an API key, the resource belongs to the key's project; with a session, to the session's account. The input has
  // only the field of the credential that the call sent.
  const byOwner = fields.includes('projectId') && fields.includes('accountId')
  const isGameServer = credentials.includes('game-server')
  switch (field) {
    case 'projectId':
      if (isGameServer) return (call) => gameServerOf(call).projectId
      return (call) => (byOwner && call.caller?.kind === 'session' ? undefined : keyOf(call).projectId)
    case 'accountId':
      return (call) => (byOwner && call.caller?.kind !== 'session' ? undefined : sessionOf(call).accountId)
    case 'grants':
      return (call) => (call.caller?.kind === 'session' ? ownerOf(call).grants : undefined)
    case 'personId':
      return (call) => sessionOf(call).accountId
    case 'instanceId':
      return isGameServer ? (call) => gameServerOf(call).instanceId : undefined
    case 'attempt':
      return isGameServer ? (call) => gameServerOf(call).attempt : undefined
    case 'playerId':
      return (call) => call.playerId
    case 'backend':
      return (call) => keyOf(call).backend
    case 'client':
      return (call) => call.client
    case 'by':
      return authorOf
    default:
      return undefined
  }
}
