import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { CredentialKind, Permission } from '@matchyard/core'
import type { Endpoint } from '../endpoint'
import { HTTP_ERRORS } from '../error-status'
import { takesIdempotencyKey } from '../middleware/idempotency'
import { OPERATIONS, type Operation } from '../operations'
import { PROBLEM_MEDIA_TYPE } from '../problem'
import { isStream, paramNames } from '../route-table'
import { COMPONENTS } from '../wire/codec/index'
import { WEBHOOK_BODIES } from '../wire/message'
import { EXAMPLES } from './examples'
import { PATH_EXAMPLES, PATH_WORDS } from './path-words'
import { plainReferences } from './plain-references'
import { problemSchema } from './problem-schema'
import { refusalsByStatus } from './refusals'
import { samplesOf } from './samples'

const SECURITY = {
  client: 'clientKey',
  server: 'serverKey',
  session: 'session',
  'game-server': 'gameServerToken',
  machine: 'machineToken',
} as const

/** Security scheme of the player token, which is sent together with a client key. */
const PLAYER_TOKEN = 'playerToken'

const apiKey = (description: string) => ({ type: 'apiKey', in: 'header', name: 'api-key', description }) as const
const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const

const SCHEMES = {
  [SECURITY.client]: apiKey('A client key, `ck_live_…`, for players.'),
  [SECURITY.server]: apiKey('A server key, `sk_live_…`, for backends.'),
  [SECURITY.session]: bearer('A session token of a developer.'),
  [SECURITY['game-server']]: bearer("A game server's own token, from its configuration file."),
  [SECURITY.machine]: bearer("A machine's token, `mt_live_…`, for its agent."),
  [PLAYER_TOKEN]: bearer(
    "Token that names the player, sent beside a client key and signed by an issuer of the project. Required when the project's players must prove their identity.",
  ),
}

/**
 * Descriptions of the `x-player-id` header, by the value of `player` in the permission table. No description calls the
 * header required, because a token can replace it.
 */
const PLAYER_WORDS: Readonly<Record<Exclude<Permission['player'], 'none'>, string>> = {
  required: "Acting player, UTF-8. Required without a player token; an id that differs from the token's is refused.",
  'unless-backend':
    "Acting player, UTF-8. Required with a client key unless a player token names the player; an id that differs from the token's is refused. Optional for a backend.",
  optional: "Acting player, UTF-8; optional. An id that differs from the player token's is refused.",
}

/** Recorded request and answer of one operation. */
interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly credential?: CredentialKind
  readonly player?: string
  readonly body?: unknown
  readonly status: number
  readonly answer?: unknown
}

export interface OpenApiDocument {
  readonly openapi: string
  /** Operations by path, then by method. */
  readonly paths: Readonly<Record<string, unknown>>
  readonly [part: string]: unknown
}

/** Returns the OpenAPI 3.1 document, made from the same values that answer requests. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): OpenApiDocument {
  const registry = new OpenAPIHono().openAPIRegistry
  for (const [name, scheme] of Object.entries(SCHEMES)) registry.registerComponent('securitySchemes', name, scheme)
  registry.registerWebhook(everyComponent())
  const examples = JSON.parse(EXAMPLES) as Readonly<Record<string, Example>>
  const params: Params = Object.assign({ ...PATH_EXAMPLES }, ...Object.values(examples).map((one) => one.params))
  for (const endpoint of endpoints) {
    const example = examples[endpoint.operation]
    registry.registerPath(routeOf(endpoint, example, { ...params, ...example?.params }))
  }
  for (const [type, body] of Object.entries(WEBHOOK_BODIES)) registry.registerWebhook(messageOf(type, body))
  const hono = new OpenAPIHono()
  hono.openAPIRegistry = registry
  const document = hono.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Matchyard',
      version,
      description:
        'Game lobbies, matchmaking and server hosting. Bodies are JSON in snake_case; times are ISO 8601 in UTC.\n\nThe samples take the address and the credential from the environment: `eval "$(matchyard env)"` sets `MATCHYARD_URL`, `MATCHYARD_CLIENT_KEY` and `MATCHYARD_SERVER_KEY`; `MATCHYARD_SESSION` is the `token` of a login, `MATCHYARD_SERVER_TOKEN` the one in the file of a game server, and `MATCHYARD_MACHINE_TOKEN` the one of a machine.',
    },
    servers: [{ url: '/' }],
  })
  const { [EVERY_COMPONENT]: _, ...webhooks } = document.webhooks ?? {}
  const components = { ...document.components, schemas: byName(document.components?.schemas ?? {}) }
  const plain = plainReferences({ ...document, components, webhooks, paths: document.paths ?? {} }) as OpenApiDocument
  return { ...plain, 'x-error-catalogue': HTTP_ERRORS }
}

/**
 * Returns components (named schemas) sorted by name. They are registered in the order in which their modules are
 * loaded, and the document must not depend on that order.
 */
const byName = <T>(parts: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)))

const EVERY_COMPONENT = 'every component'

/**
 * Returns a webhook that contains every component (named schema) directly. It is registered first and then left out of
 * the document. The generator begins with webhooks, and takes the description at the first use of a component as the
 * component's own description.
 */
const everyComponent = () => ({
  method: 'post' as const,
  path: EVERY_COMPONENT,
  request: { body: { content: { 'application/json': { schema: z.object(Object.fromEntries(COMPONENTS)) } } } },
  responses: {},
})

/** Examples of path parameters, by name. */
type Params = Readonly<Record<string, string>>

function routeOf(endpoint: Endpoint, example: Example | undefined, params: Params) {
  return createRoute({
    method: endpoint.method,
    path: endpoint.path,
    operationId: endpoint.operation,
    tags: [tagOf(endpoint.operation)],
    summary: endpoint.summary,
    ...roleOf(OPERATIONS[endpoint.operation]),
    security: securityOf(OPERATIONS[endpoint.operation]),
    request: requestOf(endpoint, example, params),
    responses: { ...successOf(endpoint, example), ...refusals(endpoint) },
    'x-codeSamples': samplesOf(endpoint, {
      params,
      credential: example?.credential,
      player: example?.player,
      body: example?.body,
    }),
  })
}

/** Returns the sentence about the least role that a session or a server key needs; nothing for calls without such a role. */
const roleOf = ({ role }: Permission): { readonly description?: string } =>
  role === null ? {} : { description: `Least role of a session or a server key: \`${role}\`.` }

/**
 * Returns the accepted credentials as alternatives. If a player acts, a client key together with a player token is
 * another alternative.
 */
function securityOf({ credentials, player }: Permission): Record<string, string[]>[] {
  return credentials.flatMap((kind) => [
    { [SECURITY[kind]]: [] },
    ...(kind === 'client' && player !== 'none' ? [{ [SECURITY.client]: [], [PLAYER_TOKEN]: [] }] : []),
  ])
}

/** Returns the description of a webhook message: a request that the service sends. */
function messageOf(type: string, body: z.ZodType) {
  const header = (description: string) => z.string().openapi({ description })
  return {
    method: 'post' as const,
    path: type,
    operationId: `messages.${type}`,
    tags: ['messages'],
    summary: `What a webhook is sent of the type ${type}.`,
    request: {
      headers: z.object({
        'webhook-id': header(
          'Id of the message, equal in every attempt; a receiver ignores ids that it has processed.',
        ),
        'webhook-timestamp': header('Time of this attempt in seconds since 1970.'),
        'webhook-signature': header(
          'Signatures by Standard Webhooks: `v1,` and base64 of HMAC-SHA-256, separated by spaces.',
        ),
      }),
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: {
      '2XX': { description: 'The message was processed.' },
      410: { description: 'The receiver is gone; the service disables the webhook.' },
    },
  }
}

const tagOf = (operation: Operation) => operation.slice(0, operation.indexOf('.'))

function requestOf(endpoint: Endpoint, example: Example | undefined, params: Params) {
  const names = paramNames(endpoint.path)
  const { query, body, rawBody } = endpoint
  const content = rawBody
    ? { [rawBody.mediaType]: { schema: z.string().openapi({ format: 'binary' }) } }
    : body && { 'application/json': { schema: body.body, ...exampleOf(example?.body) } }
  return {
    ...(names.length === 0
      ? {}
      : { params: z.object(Object.fromEntries(names.map((name) => [name, paramOf(name, params[name])]))) }),
    ...(query?.body instanceof z.ZodObject ? { query: query.body } : {}),
    headers: headersOf(endpoint, example),
    ...(content ? { body: { required: endpoint.bodyOptional !== true, content } } : {}),
  }
}

const paramOf = (name: string, example: string | undefined) =>
  z.string().openapi({ description: PATH_WORDS[name] ?? name, param: exampleOf(example) })
const exampleOf = (value: unknown) => (value === undefined ? {} : { example: value })

/**
 * Returns the schema of the `x-player-id` header. If an example player is given, the reference page also sends the
 * header.
 */
const playerIdOf = (description: string, player: string | undefined) => {
  const examples = { player: { value: player, 'x-disabled': false } }
  return z
    .string()
    .min(1)
    .max(128)
    .optional()
    .openapi({ description, ...(player === undefined ? {} : { param: { examples } }) })
}

function headersOf(endpoint: Endpoint, example: Example | undefined) {
  const { player }: Permission = OPERATIONS[endpoint.operation]
  const key = z
    .string()
    .min(1)
    .max(255)
    .openapi({ description: 'Idempotency key: the answer is replayed for 24 hours.' })
  const agent = z.string().openapi({ description: 'Properties of the agent and its machine: base64url of JSON.' })
  return z.object({
    ...(endpoint.operation === 'machine.wanted' ? { 'matchyard-agent': agent } : {}),
    ...(player === 'none' ? {} : { 'x-player-id': playerIdOf(PLAYER_WORDS[player], example?.player) }),
    ...(takesIdempotencyKey(endpoint) ? { 'idempotency-key': key.optional() } : {}),
    ...(isStream(endpoint.operation) || endpoint.success.events !== undefined
      ? { 'last-event-id': z.string().optional().openapi({ description: 'Resumes after this event.' }) }
      : {}),
  })
}

function successOf({ success, otherwise }: Endpoint, example: Example | undefined) {
  const { answer, mediaType = 'application/json', events } = success
  const responseOf = ({ status, description }: NonNullable<Endpoint['otherwise']>) =>
    answer === undefined || status === 204
      ? { [status]: { description } }
      : {
          [status]: {
            description,
            content: {
              [mediaType]: {
                schema: answer.answer,
                ...exampleOf(status === example?.status ? example.answer : undefined),
              },
              ...(events === undefined ? {} : { 'text/event-stream': { schema: events.answer } }),
            },
          },
        }
  return { ...responseOf(success), ...(otherwise === undefined ? {} : responseOf(otherwise)) }
}

/** Returns the refusals by status. Each code has a link to its page. */
const refusals = (endpoint: Endpoint) =>
  Object.fromEntries(
    [...refusalsByStatus(endpoint)].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `[${code}](./errors/${code})`).join(', '),
        content: { [PROBLEM_MEDIA_TYPE]: { schema: problemSchema } },
      },
    ]),
  )
