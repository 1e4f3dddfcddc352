import { bodyName, type Document, refusalsOf } from './document'
import { RESOURCES, UNSAID } from './exceptions'
import { type AdminCall, adminCallsOf } from './operations'
import { camel, listName, queryType } from './query'
import { comment, refsIn, written } from './schema'

export const HEAD = '// Written by `npm run generate` from docs/openapi.json; not to be edited by hand.\n'

/** Arguments of one kind, and the code that sends them. */
interface Taken {
  readonly args: readonly string[]
  readonly value: string | undefined
}

/** Returns the file of the admin client's resources: a class for each, a method for each operation. */
export function resourcesOf(document: Document): string {
  const calls = adminCallsOf(document)
  const classes = Object.entries(RESOURCES).map(([group, { name, text }]) => {
    const methods = calls.filter((call) => call.group === group).map(method)
    return `\n${comment(text, '')}export class ${name} extends Resource {\n${methods.join('\n')}}\n`
  })
  const spoken = calls.flatMap(({ answer, body, exception, method, operation, query }) => [
    ...refsIn(answer),
    ...(body === undefined || exception.isSpread ? refsIn(body) : [bodyName(operation.operationId)]),
    ...(method === 'list' ? [] : query.flatMap(({ schema }) => refsIn(schema))),
  ])
  const lists = calls.filter(({ method, query }) => method === 'list' && query.length > 0).map(listName)
  return [
    HEAD,
    `import type {\n${namesOf(spoken)}} from '../api/types'\n`,
    "import { part, Resource } from './resource'\n",
    `import type {\n${namesOf(lists)}} from './types'\n`,
    ...classes,
  ].join('')
}

/** Returns names in their order, each on a line. */
export const namesOf = (names: readonly string[]): string =>
  [...new Set(names)]
    .sort()
    .map((name) => `  ${name},\n`)
    .join('')

function method(call: AdminCall): string {
  const { operation, exception, list } = call
  const refusals = refusalsOf(operation).filter((code) => !UNSAID.has(code))
  const rejects = refusals.length === 0 ? '' : ` Rejects with ${refusals.map((code) => `\`${code}\``).join(', ')}.`
  const [body, query] = [sent(call), asked(call)]
  const ids = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => `${camel(id)}: string`)
  const args = [...ids, ...body.args, ...query.args].join(', ')
  const item = call.answer === undefined ? 'void' : written(call.answer, '  ')
  const answered = list === undefined ? `Promise<${item}>` : `AsyncGenerator<${item}, void, undefined>`
  const words = [
    exception.isProtected && 'protected',
    exception.field && 'async',
    `${call.method}(${args}): ${answered}`,
  ]
  return [
    comment(`${exception.text ?? operation.summary}${rejects}`, '  '),
    `  ${words.filter(Boolean).join(' ')} {\n`,
    `    return ${called(call, body.value, query.value, item)}\n  }\n`,
  ].join('')
}

function sent({ body, exception, operation }: AdminCall): Taken {
  if (body === undefined) return { args: [], value: undefined }
  if (!exception.isSpread) {
    const unless = operation.requestBody?.required ? '' : ' = {}'
    return { args: [`body: ${bodyName(operation.operationId)}${unless}`], value: 'body' }
  }
  const fields = Object.entries(body.properties ?? {})
  return {
    args: fields.map(([name, schema]) => {
      const optional = body.required?.includes(name) ? '' : '?'
      return `${camel(name)}${optional}: ${written(schema, '  ')}`
    }),
    value: objectOf(fields.map(([name]) => name)),
  }
}

function asked(call: AdminCall): Taken {
  const { exception, query } = call
  const names = query.map(({ name }) => name)
  if (names.length === 0) return { args: [], value: undefined }
  if (exception.isSpread) {
    return {
      args: query.map(({ name, schema }) => `${camel(name)}?: ${written(schema, '  ')}`),
      value: objectOf(names),
    }
  }
  const type = call.method === 'list' ? listName(call) : queryType(call, '  ')
  const others = names.filter((name) => camel(name) !== name)
  // An interface has no index signature, so the query is a copy of it.
  if (others.length === 0)
    return { args: [`query: ${type} = {}`], value: call.method === 'list' ? '{ ...query }' : 'query' }
  const same = others.length < names.length
  return {
    args: [`{ ${[...others.map(camel), ...(same ? ['...same'] : [])].join(', ')} }: ${type} = {}`],
    value: objectOf(others, same ? ['...same'] : []),
  }
}

const objectOf = (names: readonly string[], first: readonly string[] = []): string =>
  `{ ${[...first, ...names.map((name) => (camel(name) === name ? name : `${name}: ${camel(name)}`))].join(', ')} }`

function called({ exception, list, most, path, verb }: AdminCall, body = '', query = '', item = ''): string {
  const written = path.replace('/v1', '').replace(/\{(\w+)\}/g, (_, id: string) => `\${part(${camel(id)})}`)
  const at = written === path.replace('/v1', '') ? `'${written}'` : `\`${written}\``
  const all = (...args: readonly string[]) => args.filter((arg) => arg !== '').join(', ')
  if (list === 'offset') return `this.pages(${all(at, query)})`
  if (list === 'cursor') return `this.walk(${all(at, query || '{}', String(most))})`
  if (verb !== 'GET') return `this.call(${all(`'${verb}'`, at, body || (query && 'undefined'), query)})`
  if (exception.field === undefined) return `this.read(${all(at, query)})`
  return `(await this.read<{ readonly ${exception.field}: ${item} }>(${all(at, query)})).${exception.field}`
}
