import { textOf } from './texts'

/** What of JSON Schema the document uses. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | boolean | null)[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
}

interface Operation {
  readonly operationId: string
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
    if (!LEFT_OUT.has(name)) parts.push(declared(name, schema, name))
  }
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const schema = operation.requestBody?.content['application/json']?.schema
    if (schema === undefined || !SPOKEN_BY.test(operation.operationId)) continue
    parts.push(declared(bodyName(operation.operationId), schema, bodyName(operation.operationId)))
  }
  const codes = document.components.schemas.Problem?.properties?.code?.enum ?? []
  parts.push(
    `/** Every code of the service's error catalogue. */\nexport type ServiceErrorCode =\n${codes.map((code) => `  | '${code}'\n`).join('')}`,
  )
  return parts.join('\n')
}

const bodyName = (operationId: string): string =>
  `${operationId
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')}Body`

/** A component: an interface where it is an object, an alias otherwise. Where it may be null, those who name it say so. */
function declared(name: string, schema: Schema, at: string): string {
  const text = comment(textOf(at, schema.description), '')
  if (schema.properties === undefined) return `${text}export type ${name} = ${written(schema, at, '')}\n`
  return `${text}export interface ${name} ${members(schema, at, '')}\n`
}

function members(schema: Schema, at: string, indent: string): string {
  const inner = `${indent}  `
  // What is sent may be left out by `undefined` too, as JSON does.
  const sent = schema.additionalProperties === false
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const optional = !(schema.required ?? []).includes(name)
    const type = written(property, `${at}.${name}`, inner)
    const text = comment(textOf(`${at}.${name}`, property.description), inner)
    return `${text}${inner}readonly ${name}${optional ? '?' : ''}: ${type}${optional && sent ? ' | undefined' : ''}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function written(schema: Schema, at: string, indent: string): string {
  if (schema.$ref !== undefined) return named(schema.$ref)
  if (schema.enum !== undefined)
    return schema.enum.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ')
  if (schema.oneOf !== undefined) {
    return schema.oneOf.map((one) => `\n${indent}  | ${written(one, alternative(one, at), `${indent}  `)}`).join('')
  }
  if (schema.allOf !== undefined) return composed(schema.allOf, at, indent)
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return 'unknown'
  return types.map((type) => plain(type, schema, at, indent)).join(' | ')
}

function plain(type: string, schema: Schema, at: string, indent: string): string {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') {
    const item = written(schema.items ?? {}, at, indent)
    return item.includes(' | ') || item.startsWith('{') ? `readonly (${item})[]` : `readonly ${item}[]`
  }
  if (type !== 'object') return type
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) return members(schema, at, indent)
  const values = schema.additionalProperties
  if (typeof values === 'object' && Object.keys(values).length > 0) {
    return `{ readonly [name: string]: ${written(values, at, indent)} }`
  }
  return 'JsonObject'
}

/** A reference, what is added to it, and whether null may stand in its place. */
function composed(parts: readonly Schema[], at: string, indent: string): string {
  const orNull = parts.some(({ type }) => Array.isArray(type) && type.includes('null'))
  const all = parts.filter(({ $ref, properties }) => $ref !== undefined || properties !== undefined)
  return `${all.map((part) => written(part, at, indent)).join(' & ')}${orNull ? ' | null' : ''}`
}

const NULLABLE = new Set(['ServerSummary', 'LobbyExit'])

function named(ref: string): string {
  const name = ref.slice(ref.lastIndexOf('/') + 1)
  return NULLABLE.has(name) ? `${name} | null` : name
}

/** Alternatives are told apart by their `type`. */
const alternative = (schema: Schema, at: string): string => `${at}.${schema.properties?.type?.enum?.[0] ?? ''}`

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text} */\n`
}
