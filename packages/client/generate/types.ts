/** What of JSON Schema the document uses. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | boolean | null)[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly description?: string | undefined
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly responses: Readonly<Record<string, { readonly description: string }>>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
}

export interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const HEAD = `// Written by \`npm run generate\` from docs/openapi.json; not to be edited by hand.

/** Free-form JSON: yours, and carried through untouched. */
export type JsonObject = { readonly [key: string]: unknown }

/** One page of a list. */
export interface Page<T> {
  /** How many there are in all. */
  readonly total: number
  /** How many a page has at the most. */
  readonly limit: number
  /** How many come before this page. */
  readonly offset: number
  /** Whether there is a page after this one. */
  readonly has_more: boolean
  /** What is on this page. */
  readonly data: readonly T[]
}
`

/** What belongs to the service's own pages and to accounts. */
const LEFT_OUT = new Set(['Health', 'Start', 'ServerConfiguration', 'FeedChange', 'Session'])
/** Operations whose body has another form in the client. */
const SPOKEN_BY = /^(queues|servers|builds|webhooks|matches|projects|keys)\./

/** The whole file. */
export function typesOf(document: Document): string {
  const parts = [HEAD]
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (!LEFT_OUT.has(name)) parts.push(declared(name, schema))
  }
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const schema = operation.requestBody?.content['application/json']?.schema
    if (schema === undefined || !SPOKEN_BY.test(operation.operationId)) continue
    parts.push(declared(bodyName(operation.operationId), { description: operation.summary, ...schema }))
  }
  const codes = document.components.schemas.Problem?.properties?.code?.enum ?? []
  parts.push(
    `/** Every code of the service's error catalogue. */\nexport type ServiceErrorCode =\n${alternatives(codes)}`,
    `/** Every code that a game server's call can be refused with. Each is kept for ever; new ones may be added. */\nexport type GameServerErrorCode =\n${alternatives(gameServerCodes(document))}`,
  )
  return parts.join('\n')
}

const alternatives = (names: readonly unknown[]): string => names.map((name) => `  | '${name}'\n`).join('')

/** Returns the codes that the calls of a game server are documented with, and that of the limits in front of every call. */
function gameServerCodes({ paths }: Document): string[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/v1/servers/self') ? Object.values(methods) : [],
  )
  const refusals = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { description }]) =>
      Number(status) < 400 ? [] : [...description.matchAll(/\[([A-Z_]+)\]/g)].map(([, code = '']) => code),
    ),
  )
  return [...new Set([...refusals, 'RATE_LIMITED'])].sort()
}

const bodyName = (operationId: string): string =>
  `${operationId
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')}Body`

/** A component: an interface where it is an object, an alias otherwise. Where it may be null, those who name it say so. */
function declared(name: string, schema: Schema): string {
  const text = comment(schema.description, '')
  if (schema.properties === undefined) return `${text}export type ${name} = ${written(schema, '')}\n`
  return `${text}export interface ${name} ${members(schema, '')}\n`
}

function members(schema: Schema, indent: string): string {
  const inner = `${indent}  `
  // What is sent may be left out by `undefined` too, as JSON does.
  const sent = schema.additionalProperties === false
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const optional = !(schema.required ?? []).includes(name)
    const type = written(property, inner)
    const text = comment(property.description, inner)
    return `${text}${inner}readonly ${name}${optional ? '?' : ''}: ${type}${optional && sent ? ' | undefined' : ''}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function written(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return named(schema.$ref)
  if (schema.enum !== undefined)
    return schema.enum.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ')
  if (schema.oneOf !== undefined) {
    return schema.oneOf.map((one) => `\n${indent}  | ${written(one, `${indent}  `)}`).join('')
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map((part) => written(part, indent)).join(' | ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return 'unknown'
  return types.map((type) => plain(type, schema, indent)).join(' | ')
}

function plain(type: string, schema: Schema, indent: string): string {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') {
    const item = written(schema.items ?? {}, indent)
    return item.includes(' | ') || item.startsWith('{') ? `readonly (${item})[]` : `readonly ${item}[]`
  }
  if (type !== 'object') return type
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) return members(schema, indent)
  const values = schema.additionalProperties
  if (typeof values === 'object' && Object.keys(values).length > 0) {
    return `{ readonly [name: string]: ${written(values, indent)} }`
  }
  return 'JsonObject'
}

const named = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text} */\n`
}
