/** The part of JSON Schema that the document uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | boolean | null)[]
  readonly oneOf?: readonly Schema[]
  readonly maximum?: number
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly description?: string | undefined
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

export interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** Returns the type name of an operation's request body. */
export const bodyName = (operationId: string): string =>
  `${operationId
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')}Body`

/** Returns the error codes of an operation in the document. */
export const refusalsOf = ({ responses }: Operation): string[] =>
  Object.entries(responses).flatMap(([status, { description }]) =>
    Number(status) < 400 ? [] : [...description.matchAll(/\[([A-Z_]+)\]/g)].map(([, code = '']) => code),
  )
