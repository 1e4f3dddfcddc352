import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export type Json = Readonly<Record<string, unknown>>

interface Response {
  /**
   * The text of the response. For an error response, it lists the error codes, each as a link to the page of the code.
   */
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>
}

/** One operation of an OpenAPI document with its documented responses. */
export interface DocumentedOperation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Response>>
}

type Paths = Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Returns the error codes that a response's description names. */
export const codesIn = (description = ''): readonly string[] =>
  [...description.matchAll(/\[([A-Z_]+)\]/g)].map(([, code = '']) => code)

/** An OpenAPI document, used to check answers. Its schemas are closed: a field that no schema contains is a fault. */
export class DocumentedAnswers {
  private readonly paths: Paths
  private readonly patterns
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true })
  private readonly compiled = new WeakMap<Json, ValidateFunction>()

  constructor(source: unknown) {
    const document = closed(source) as { readonly paths: Paths; readonly components: unknown }
    this.paths = document.paths
    this.patterns = Object.entries(document.paths)
      .map(([path, operations]) => ({
        operations,
        // Paths with more fixed segments come first, as in the router: a fixed segment has precedence over an id at the
        // same position.
        words: path.split('/').filter((part) => !part.startsWith('{')).length,
        pattern: new RegExp(`^${path.replace(/\{[^{}]+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
      }))
      .sort((a, b) => b.words - a.words)
    this.ajv.addFormat('date-time', ISO_INSTANT)
    this.ajv.addFormat('email', /@/)
    this.ajv.addSchema({ $id: 'document', components: document.components })
  }

  /** Returns the operation for a method and a path without query; undefined when the document has no such operation. */
  operationOf(method: string, pathname: string): DocumentedOperation | undefined {
    for (const { pattern, operations } of this.patterns) {
      if (!pattern.test(pathname)) continue
      const operation = operations[method.toLowerCase()]
      if (operation !== undefined) return operation
    }
    return undefined
  }

  /** Returns all operations, each with its path in the document's form. */
  operations(): { readonly method: string; readonly path: string; readonly operation: DocumentedOperation }[] {
    return Object.entries(this.paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
  }

  /** Returns the faults of a value under a schema of the document. */
  faultsOf(schema: Json, value: unknown): string[] {
    let validate = this.compiled.get(schema)
    if (validate === undefined) {
      validate = this.ajv.compile(schema)
      this.compiled.set(schema, validate)
    }
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    )
  }
}

/**
 * Returns a copy of a schema in which each object accepts only its named fields, and references point to the registered
 * document.
 */
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
