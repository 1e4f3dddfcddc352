import { ENDPOINTS, openApiDocument } from '@matchyard/http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Json = Record<string, unknown>

interface Response {
  /** For a refusal: its codes, separated by commas. */
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>
}

/** One operation of the generated OpenAPI document, ready to judge what was answered to it. */
export interface DocumentedOperation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Response>>
}

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const source: Json = openApiDocument(ENDPOINTS, '1')
const document = closed(source) as Json
const paths = Object.entries(document.paths as Record<string, Record<string, DocumentedOperation>>).map(
  ([path, operations]) => ({
    operations,
    // A word stands before an id in the same place, as the router has it.
    words: path.split('/').filter((part) => !part.startsWith('{')).length,
    pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
  }),
)
paths.sort((a, b) => b.words - a.words)

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('date-time', ISO_INSTANT)
ajv.addFormat('email', /@/)
ajv.addSchema({ $id: 'document', components: document.components })
const compiled = new WeakMap<Json, ValidateFunction>()

/** The operation of a method and a path without its query; undefined where the document knows none. */
export function operationOf(method: string, pathname: string): DocumentedOperation | undefined {
  for (const { pattern, operations } of paths) {
    if (!pattern.test(pathname)) continue
    const operation = operations[method.toLowerCase()]
    if (operation !== undefined) return operation
  }
  return undefined
}

/** Every operation, with its path as the document writes it. */
export const operations = () =>
  Object.entries(document.paths as Record<string, Record<string, DocumentedOperation>>).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** The named schemas, as the document holds them. */
export const schemas = (): unknown => source.components

export const problemSchema = (): Json => ({ $ref: 'document#/components/schemas/Problem' })

/** What a value breaks in a schema of the document; fields that the schema does not name count as broken. */
export function faultsOf(schema: Json, value: unknown): string[] {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  )
}

/** A copy in which every object takes only the fields it names, and references lead into the registered document. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy: Json = {}
  for (const [key, item] of Object.entries(value)) {
    copy[key] = key === '$ref' ? `document${String(item)}` : closed(item)
  }
  if (copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy)) {
    copy.additionalProperties = false
  }
  return copy
}
