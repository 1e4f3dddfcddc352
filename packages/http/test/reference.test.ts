import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../src/openapi/document'
import { ENDPOINTS } from '../src/routes/index'
import { asTold } from './harness/answers-as-told'

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Described {
  readonly name: string
  readonly in: string
  readonly example?: unknown
  readonly description?: string
  readonly schema?: Schema
}

interface Shown {
  readonly schema?: Schema
  readonly example?: unknown
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly parameters?: readonly Described[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Shown>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Shown>> }>>
}

const document = openApiDocument(ENDPOINTS, '1')
const { schemas } = document.components as { readonly schemas: Readonly<Record<string, Schema>> }
const operations = [document.paths, document.webhooks].flatMap((places) =>
  Object.values(places as Record<string, Record<string, Operation>>).flatMap((methods) => Object.values(methods)),
)

/** Returns the paths of fields without a description. */
function silent(at: string, schema: Schema | undefined): string[] {
  if (schema === undefined) return []
  const { properties = {}, items, additionalProperties: others, anyOf = [], oneOf = [], allOf = [] } = schema
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(field.description === undefined ? [`${at}.${name}`] : []),
      ...silent(`${at}.${name}`, field),
    ]),
    ...[items, ...(typeof others === 'object' ? [others] : []), ...anyOf, ...oneOf, ...allOf].flatMap((inner) =>
      silent(at, inner),
    ),
  ]
}

describe('the reference says what everything means', () => {
  test.each(Object.entries(schemas))('%s and its fields', (name, schema) => {
    expect(schema.description).toMatch(/\.$/)
    expect(silent(name, schema)).toEqual([])
  })

  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s, its parameters, its body and its answers',
    (id, { summary, parameters = [], requestBody, responses }) => {
      expect(summary).toMatch(/\.$/)
      const mute = parameters.filter(({ description, schema }) => (description ?? schema?.description) === undefined)
      expect(mute.map(({ name }) => name)).toEqual([])
      const bare = parameters.filter((parameter) => parameter.in === 'path' && parameter.example === undefined)
      expect(bare.map(({ name }) => name)).toEqual([])
      const bodies = [requestBody, ...Object.values(responses)].flatMap((one) => Object.values(one?.content ?? {}))
      expect(bodies.flatMap(({ schema }) => silent(id, schema))).toEqual([])
    },
  )

  test('a field that nothing is said of is found, however deep', () => {
    const deep = { properties: { a: { description: 'A.', items: { anyOf: [{ properties: { b: {} } }] } } } }
    expect(silent('Thing', deep)).toEqual(['Thing.a.b'])
  })
})

describe('the reference shows what everything looks like', () => {
  /**
   * Operations without an example: streams, whose events have a documentation page of their own, and answers that are
   * not JSON.
   */
  const WITHOUT = [
    'lobbies.events',
    'projects.events',
    'servers.selfEvents',
    'builds.upload',
    'system.openapi',
    'system.reference',
    'system.metrics',
    // Calls of agents. The command `matchyard agent` makes them.
    'machine.wanted',
    'machine.observed',
    'machine.build',
    'machine.archive',
    // Pages to which every refusal links.
    'system.errors',
    'system.error',
  ]
  const paths = ENDPOINTS.filter(({ operation }) => !WITHOUT.includes(operation))

  test.each(paths.map((endpoint) => [endpoint.operation, endpoint] as const))(
    '%s',
    (_, { method, path, ...endpoint }) => {
      const operation = (document.paths[path] as Record<string, Operation>)[method]
      const [sent] = Object.values(operation?.requestBody?.content ?? {})
      if (endpoint.body !== undefined && endpoint.bodyOptional !== true) {
        expect(sent?.example).toBeDefined()
        expect(endpoint.body.body.safeParse(sent?.example).error).toBeUndefined()
      }
      if (endpoint.success.answer === undefined) return
      const shown = Object.entries(operation?.responses ?? {}).flatMap(([status, { content }]) =>
        Object.values(content ?? {}).flatMap(({ example }) => (example === undefined ? [] : [{ status, example }])),
      )
      expect(shown).toHaveLength(1)
      for (const { status, example } of shown) {
        const headers = new Headers({ 'content-type': 'application/json' })
        const address = path.replaceAll(/\{[^}]+\}/g, 'x')
        asTold(method.toUpperCase(), address, { status: Number(status), body: example, text: '', headers })
      }
    },
  )
})

describe('an answer that is not as the document says is found by the tests that meet it', () => {
  const answer = (status: number, body: unknown, mediaType = 'application/json') => ({
    status,
    body,
    text: '',
    headers: new Headers({ 'content-type': mediaType }),
  })

  test.each([
    ['another status', answer(202, { status: 'ok' }), 'answered 202'],
    ['a field of another kind', answer(200, { status: 7 }), '/status'],
    ['a field that is missing', answer(200, {}), 'required property'],
    ['a field that nobody named', answer(200, { status: 'ok', load: 1 }), 'additional properties'],
    ['another media type', answer(200, {}, 'application/problem+json'), 'has no application/problem'],
    ['a refusal that is not named', answer(404, { code: 'LOBBY_FULL' }, 'application/problem+json'), 'LOBBY_FULL'],
  ])('%s', (_, given, words) => {
    expect(() => asTold('GET', '/livez', given)).toThrow(words)
    expect(() => asTold('GET', '/livez', answer(200, { status: 'ok' }))).not.toThrow()
  })
})
