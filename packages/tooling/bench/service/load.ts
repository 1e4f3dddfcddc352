import { connect, type Socket } from 'node:net'

export const CONNECTIONS = 32
const HEAD_END = '\r\n\r\n'

/** The result of a load. */
export interface Loaded {
  readonly calls: number
  readonly seconds: number
}

/** Returns the text of one HTTP/1.1 request. */
export function requestOf(method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  if (body !== '') lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}${HEAD_END}${body}`
}

/**
 * Returns the next request of a connection, given the body of its last answer; undefined when there is no more work.
 */
export type Work = (last: string | undefined) => string | undefined

/** The length of a load, in seconds or in calls. */
export type Amount = { readonly seconds: number } | { readonly calls: number }

/**
 * Runs a load on kept connections, each with one request at a time. Raw sockets cost less CPU time than any HTTP
 * client.
 */
export async function runLoad(port: number, work: Work, amount: Amount): Promise<Loaded> {
  const startedAt = performance.now()
  const [until, most] = 'seconds' in amount ? [startedAt + amount.seconds * 1_000, Infinity] : [Infinity, amount.calls]
  let begun = 0
  const next: Work = (last) => {
    if (performance.now() >= until || begun >= most) return undefined
    const request = work(last)
    if (request !== undefined) begun++
    return request
  }
  const calls = await Promise.all(Array.from({ length: CONNECTIONS }, () => callAgain(port, next)))
  return { calls: calls.reduce((sum, count) => sum + count, 0), seconds: (performance.now() - startedAt) / 1_000 }
}

function callAgain(port: number, work: Work): Promise<number> {
  return new Promise((resolve, reject) => {
    let calls = 0
    let pending = ''
    const socket: Socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true).setEncoding('latin1')
    const call = (last?: string) => {
      const request = work(last)
      if (request !== undefined) return void socket.write(request, 'latin1')
      socket.destroy()
      resolve(calls)
    }
    socket.once('connect', () => call())
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk: string) => {
      const text = pending === '' ? chunk : pending + chunk
      const from = bodyOf(text)
      if (from === undefined) {
        pending = text
        return
      }
      pending = ''
      if (!text.startsWith('HTTP/1.1 2')) return void reject(new Error(`refused: ${text.slice(0, 2_000)}`))
      calls++
      call(text.slice(from))
    })
  })
}

const LENGTH = /content-length: (\d+)/i

/** Returns the index at which the body begins; undefined until the whole answer has arrived. */
function bodyOf(text: string): number | undefined {
  const head = text.indexOf(HEAD_END)
  if (head < 0) return undefined
  const from = head + HEAD_END.length
  const length = LENGTH.exec(text)?.[1]
  const whole = length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= from + Number(length)
  return whole ? from : undefined
}

/** Returns the id of the lobby in an answer. */
export function lobbyIdIn(body: string): string {
  const id = /"lobby_id":"([^"]+)"/.exec(body)?.[1]
  if (id === undefined) throw new Error(`no lobby in ${body}`)
  return id
}
