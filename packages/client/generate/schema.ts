import type { Schema } from './document'

/**
 * Returns the declaration of a component: an interface for an object, else an alias. Null is added where the component
 * is used.
 */
export function declared(name: string, schema: Schema): string {
  const text = comment(schema.description, '')
  if (schema.properties === undefined) return `${text}export type ${name} = ${written(schema, '')}\n`
  return `${text}export interface ${name} ${members(schema, '')}\n`
}

/** Returns the members of an object, in braces. */
export function members(schema: Schema, indent: string): string {
  const inner = `${indent}  `
  // A field of a request may also be `undefined`, which JSON omits.
  const sent = schema.additionalProperties === false
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const optional = !(schema.required ?? []).includes(name)
    const type = written(property, inner)
    const text = comment(property.description, inner)
    return `${text}${inner}readonly ${name}${optional ? '?' : ''}: ${type}${optional && sent ? ' | undefined' : ''}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

/** Returns the type of a schema. */
export function written(schema: Schema, indent: string): string {
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

/** Returns the schema name in a reference. */
export const named = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Returns a doc comment with its line break; an empty text without words. */
export function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text} */\n`
}

/** Returns the names of all schemas that a schema refers to directly. */
export function refsIn(schema: Schema | undefined): string[] {
  if (schema === undefined) return []
  if (schema.$ref !== undefined) return [named(schema.$ref)]
  const { additionalProperties: values, anyOf = [], items, oneOf = [], properties = {} } = schema
  const parts = [...anyOf, ...oneOf, ...Object.values(properties), ...(typeof values === 'object' ? [values] : [])]
  return [...parts, ...(items === undefined ? [] : [items])].flatMap(refsIn)
}
