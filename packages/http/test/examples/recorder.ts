import type { CredentialKind } from '@matchyard/core'
import { OPERATIONS, type Operation } from '../../src/operations'
import { isStream } from '../../src/route-table'
import { ENDPOINTS } from '../../src/routes/index'
import { type Answer, type CallOptions, type Client, headersOf } from '../harness/client'
import type { Service } from '../harness/service'

/** Recorded request and answer of one operation. */
export interface Recorded {
  /** Parameters of the operation's path. */
  readonly params?: Readonly<Record<string, string>>
  /** Kind of the credential that made the call. */
  readonly credential?: CredentialKind
  readonly player?: string
  readonly body?: unknown
  readonly status: number
  readonly answer?: unknown
}

/** Operations whose answers are made from the examples, so their answers are not recorded as examples. */
const DOCUMENTS: readonly Operation[] = ['system.openapi', 'system.errors', 'system.error']

/** Makes a call that is recorded as an example. */
export type Perform = (operation: Operation, what: string, options: CallOptions) => Promise<Answer>

const ROUTES = ENDPOINTS.map(({ method, path, operation }) => ({
  operation,
  method: method.toUpperCase(),
  words: path.split('/').filter((part) => !part.startsWith('{')).length,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{([^}]+)\}/g, '(?<$1>[^/]+)')}$`),
})).sort((a, b) => b.words - a.words)

/**
 * Returns the source file with the examples. They are one text, which costs nothing until the document is requested.
 */
export const writtenExamples = (recorded: Readonly<Record<string, Recorded>>): string =>
  `// Written by \`npm run generate\` from test/examples/record.ts; not to be edited by hand.
export const EXAMPLES = ${JSON.stringify(JSON.stringify(recorded))}
`

/** Returns a client that also records answers: the first success of each operation is its example. */
export function recording(
  { app, call }: Pick<Service, 'app' | 'call'>,
  perform: Perform = (operation, what, options) =>
    isStream(operation) ? opened(app, what, options) : call(what, options),
): { readonly call: Client; readonly kept: Map<string, Recorded> } {
  const kept = new Map<string, Recorded>()
  const recorded = async (what: string, options: CallOptions = {}): Promise<Answer> => {
    const [method, path = ''] = what.split(' ')
    const [pathname = ''] = path.split('?')
    const route = ROUTES.find((one) => one.method === method && one.pattern.test(pathname))
    const operation = route?.operation
    const isFirst = operation !== undefined && !kept.has(operation)
    const answer = await (isFirst ? perform(operation, what, options) : call(what, options))
    const params = route?.pattern.exec(pathname)?.groups
    if (answer.status >= 300) throw new Error(`${what} answered ${answer.status} ${answer.text}`)
    if (isFirst) {
      const credential = credentialOf(operation, options)
      const isShown = answer.body !== undefined && !DOCUMENTS.includes(operation)
      kept.set(operation, {
        ...(params === undefined ? {} : { params: { ...params } }),
        ...(credential === undefined ? {} : { credential }),
        ...(options.player === undefined ? {} : { player: options.player }),
        ...(options.body === undefined ? {} : { body: options.body }),
        status: answer.status,
        ...(isShown ? { answer: answer.body } : {}),
      })
    }
    return answer
  }
  return { call: recorded, kept }
}

function credentialOf(operation: Operation, { key, token }: CallOptions): CredentialKind | undefined {
  const accepted: readonly CredentialKind[] = OPERATIONS[operation].credentials
  const kinds: readonly CredentialKind[] =
    key === undefined
      ? token === undefined
        ? []
        : [token.startsWith('srvt_') ? 'game-server' : 'session']
      : [key.startsWith('ck_') ? 'client' : 'server']
  return kinds.find((kind) => accepted.includes(kind))
}

/** Opens a stream and cancels it at once, because it never ends. */
async function opened(app: Service['app'], what: string, options: CallOptions): Promise<Answer> {
  const [method = 'GET', path = ''] = what.split(' ')
  const { status, headers, body } = await app.request(path, { method, headers: headersOf(options) })
  await body?.cancel()
  return { status, headers, text: '', body: undefined }
}
