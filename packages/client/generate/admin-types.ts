import { bodyName, type Document } from './document'
import { OF_GAMES } from './exceptions'
import { adminCallsOf } from './operations'
import { listName, queryType } from './query'
import { HEAD, namesOf } from './resources'
import { comment, refsIn } from './schema'

/** Returns the file of the types of the admin client's answers, bodies and queries. */
export function adminTypesOf(document: Document): string {
  const { schemas } = document.components
  const calls = adminCallsOf(document).filter(({ exception }) => !exception.isProtected)
  const lists = calls.filter(({ method, query }) => method === 'list' && query.length > 0)
  const names = new Set<string>()
  const reach = (name: string): void => {
    if (names.has(name)) return
    names.add(name)
    refsIn(schemas[name]).forEach(reach)
  }
  for (const { body, exception, operation, query, whole } of calls) {
    if (body !== undefined && !exception.isSpread) names.add(bodyName(operation.operationId))
    for (const schema of [body, whole, ...query.map((one) => one.schema)]) refsIn(schema).forEach(reach)
  }
  const ofLists = lists.flatMap(({ query }) => query.flatMap(({ schema }) => refsIn(schema)))
  const imported = [...new Set(ofLists)].sort()
  return [
    HEAD,
    imported.length === 0 ? '' : `import type { ${imported.join(', ')} } from '../api/types'\n\n`,
    `export type {\n${namesOf([...names].filter((name) => !OF_GAMES.has(name)))}} from '../api/types'\n`,
    ...lists.map(
      (call) =>
        `\n${comment(`Filter of \`${call.group}.list\`.`, '')}export interface ${listName(call)} ${queryType(call, '')}\n`,
    ),
  ].join('')
}
