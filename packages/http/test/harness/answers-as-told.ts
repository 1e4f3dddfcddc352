import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../src/openapi/document'
import { isStream } from '../../src/route-table'
import { ENDPOINTS } from '../../src/routes/index'
import type { Answer } from './client'

type Json = Readonly<Record<string, unknown>>
type Content = Readonly<Record<string, { readonly schema: Json }>>
type Responses = Readonly<Record<string, { readonly description: string; readonly content?: Content }>>

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const document = closed(openApiDocument(ENDPOINTS, '0.0.0')) as Json
const paths = document.paths as Record<string, Record<string, { readonly responses: Responses }>>

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('date-time', ISO_INSTANT)
ajv.addSchema({ $id: 'document', components: document.components })
const compiled = new WeakMap<Json, ValidateFunction>()

const ROUTES = ENDPOINTS.map(({ method, path, operation }) => ({
  methods: method === 'get' && !isStream(operation) ? ['GET', 'HEAD'] : [method.toUpperCase()],
  operation,
  // A word stands before an id in the same place, as the router has it.
  words: path.split('/').filter((part) => !part.startsWith('{')).length,
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
  responses: paths[path]?.[method]?.responses ?? {},
})).sort((a, b) => b.words - a.words)

/** Every answer that any test meets must be as the document says: its status, its code, its body. Throws where it is not. */
export function asTold(method: string, path: string, { status, body, headers }: Answer): void {
  const [pathname = ''] = path.split('?')
  const route = ROUTES.find((one) => one.methods.includes(method) && one.pattern.test(pathname))
  if (route === undefined) return
  const response = route.responses[status]
  const code: unknown = body?.code
  if (status >= 400 && typeof code === 'string' && !response?.description.split(', ').includes(code)) {
    throw new Error(`${method} ${pathname} answered ${status} ${code}, which its documentation does not name`)
  }
  if (response === undefined) throw new Error(`${route.operation} answered ${status}, which its documentation lacks`)
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';')
  const schema = response.content?.[mediaType]?.schema
  if (!mediaType.endsWith('json') || method === 'HEAD') return
  const faults = schema === undefined ? [`has no ${mediaType}`] : faultsOf(schema, body)
  if (faults.length > 0) throw new Error(`${route.operation} ${status} is not as its schema says: ${faults.join('; ')}`)
}

/** What a value breaks in a schema of the document; a field that the schema does not name breaks it. */
export function faultsOf(schema: Json, value: unknown): string[] {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  )
}

/** A copy in which every object takes only the fields that it names, and references lead into the registered document. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    copy[key] = key === '$ref' ? `document${String(inner)}` : closed(inner)
  }
  if (copy.properties !== undefined && copy.additionalProperties === undefined) copy.additionalProperties = false
  return copy
}
