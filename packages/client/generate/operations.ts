import type { Document, Operation, Parameter, Schema } from './document'
import { EXCEPTIONS, type Exception, LEFT_OUT, RESOURCES } from './exceptions'
import { named } from './schema'

/** A call of the admin client. */
export interface AdminCall {
  /** HTTP method, for example `GET`. */
  readonly verb: string
  readonly path: string
  readonly operation: Operation
  /** First word of the operation's id. */
  readonly group: string
  /** Name of the method. */
  readonly method: string
  readonly exception: Exception
  /** Query parameters of the method. */
  readonly query: readonly Parameter[]
  /** Schema of the JSON body; undefined without one. */
  readonly body: Schema | undefined
  /** Schema of the whole answer; undefined for an empty answer. */
  readonly whole: Schema | undefined
  /** Schema of the answer, for a list that of one item; undefined for an empty answer. */
  readonly answer: Schema | undefined
  /** Paging of a list; undefined for other calls. */
  readonly list: 'offset' | 'cursor' | undefined
  /** Maximum items in one answer of a list. */
  readonly most: number
}

const WHERE = 'see RESOURCES, LEFT_OUT and EXCEPTIONS in packages/client/generate/exceptions.ts'

/** Parameters that a list sets by itself. */
const OF_LISTS: readonly string[] = ['limit', 'offset', 'cursor']

/** Whether a backend, an account or a game server calls an operation, no player does, and `LEFT_OUT` does not name it. */
export const isForBackends = (operation: Operation): boolean =>
  accepts(operation, 'serverKey', 'session', 'gameServerToken') &&
  !accepts(operation, 'clientKey') &&
  !isLeftOut(operation)

/** Returns every call of the admin client. Throws when the tables of `exceptions.ts` do not match the document. */
export function adminCallsOf(document: Document): AdminCall[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isForAdmins(operation))
      .map(([verb, operation]) => callOf(verb.toUpperCase(), path, operation, document)),
  )
  const homeless = calls.find(({ group }) => RESOURCES[group] === undefined)
  if (homeless !== undefined) throw new Error(`${homeless.operation.operationId} has no resource: ${WHERE}`)
  const ids = new Set(calls.map(({ operation }) => operation.operationId))
  const stale = Object.keys(EXCEPTIONS).find((id) => !ids.has(id))
  if (stale !== undefined) throw new Error(`${stale} is no operation of the admin client: ${WHERE}`)
  return calls
}

/** Whether the operation is a plain call, and not a stream or a text page. A plain call may also offer a stream. */
const isForAdmins = (operation: Operation): boolean =>
  accepts(operation, 'serverKey', 'session') &&
  (isForBackends(operation) || EXCEPTIONS[operation.operationId] !== undefined) &&
  isPlain(Object.keys(contentOf(operation)))

const isPlain = (types: readonly string[]): boolean => types.length === 0 || types.includes('application/json')

function callOf(verb: string, path: string, operation: Operation, { components }: Document): AdminCall {
  const [group = '', word = ''] = operation.operationId.split('.')
  const exception = EXCEPTIONS[operation.operationId] ?? {}
  const whole = contentOf(operation)['application/json']?.schema
  const properties = (whole?.$ref === undefined ? whole : components.schemas[named(whole.$ref)])?.properties
  const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query')
  const ways = ['offset', 'cursor'] as const
  const list = exception.by ?? ways.find((way) => parameters.some(({ name }) => name === way))
  return {
    verb,
    path,
    operation,
    group,
    method: exception.method ?? word,
    exception,
    query: parameters.filter(
      ({ name }) =>
        // Every call with a session sends the project itself.
        name !== 'project_id' &&
        !(list !== undefined && OF_LISTS.includes(name)) &&
        (exception.query?.includes(name) ?? true),
    ),
    body: operation.requestBody?.content['application/json']?.schema,
    whole,
    answer: list === undefined ? (exception.field ? properties?.[exception.field] : whole) : properties?.data?.items,
    list,
    most: parameters.find(({ name }) => name === 'limit')?.schema.maximum ?? 0,
  }
}

const contentOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => Number(status) < 300)?.[1].content ?? {}

const isLeftOut = ({ operationId }: Operation): boolean =>
  LEFT_OUT[operationId] !== undefined || LEFT_OUT[operationId.split('.')[0] ?? ''] !== undefined

const accepts = ({ security = [] }: Operation, ...callers: readonly string[]): boolean =>
  security.some((one) => callers.some((caller) => caller in one))
