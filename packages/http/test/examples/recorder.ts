import { ENDPOINTS } from '../../src/routes/index'
import type { Answer, CallOptions, Client } from '../harness/client'

/** What was sent and answered, of one operation. */
export interface Recorded {
  /** Of its path. */
  readonly params?: Readonly<Record<string, string>>
  readonly player?: string
  readonly body?: unknown
  readonly status: number
  readonly answer?: unknown
}

const ROUTES = ENDPOINTS.map(({ method, path, operation }) => ({
  operation,
  method: method.toUpperCase(),
  words: path.split('/').filter((part) => !part.startsWith('{')).length,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{([^}]+)\}/g, '(?<$1>[^/]+)')}$`),
})).sort((a, b) => b.words - a.words)

/** The examples as the sources hold them: text, which costs nothing until somebody asks for the document. */
export const writtenExamples = (recorded: Readonly<Record<string, Recorded>>): string =>
  `// Written by \`npm run docs:generate\` from test/examples/record.ts; not to be edited by hand.
export const EXAMPLES = ${JSON.stringify(JSON.stringify(recorded))}
`

/** Calls as before, and keeps what was answered: the first success of each operation is its example. */
export function recording(call: Client): { readonly call: Client; readonly kept: Map<string, Recorded> } {
  const kept = new Map<string, Recorded>()
  const recorded = async (what: string, options: CallOptions = {}): Promise<Answer> => {
    const answer = await call(what, options)
    const [method, path = ''] = what.split(' ')
    const [pathname = ''] = path.split('?')
    const route = ROUTES.find((one) => one.method === method && one.pattern.test(pathname))
    const operation = route?.operation
    const params = route?.pattern.exec(pathname)?.groups
    if (answer.status >= 300) throw new Error(`${what} answered ${answer.status} ${answer.text}`)
    if (operation !== undefined && !kept.has(operation)) {
      kept.set(operation, {
        ...(params === undefined ? {} : { params: { ...params } }),
        ...(options.player === undefined ? {} : { player: options.player }),
        ...(options.body === undefined ? {} : { body: options.body }),
        status: answer.status,
        ...(answer.body === undefined ? {} : { answer: answer.body }),
      })
    }
    return answer
  }
  return { call: recorded, kept }
}
