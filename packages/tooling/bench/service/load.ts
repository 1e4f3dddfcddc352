import { connect, type Socket } from 'node:net'

export const CONNECTIONS = 32
const HEAD_END = '\r\n\r\n'

/** What a load came to. */
export interface Loaded {
  readonly calls: number
  readonly seconds: number
}

/** One HTTP/1.1 request, ready for the wire. */
export function requestOf(method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  if (body !== '') lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}${HEAD_END}${body}`
}

/** Says the next request of a connection, given the body of its last answer; undefined when there is no more to do. */
export type Work = (last: string | undefined) => string | undefined

/** How long a load goes on. */
export type Amount = { readonly seconds: number } | { readonly calls: number }

/** Connections kept open, each with one request under way: raw sockets, which cost less than any client would. */
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

/** Where the body begins, once the whole answer is there. */
function bodyOf(text: string): number | undefined {
  const head = text.indexOf(HEAD_END)
  if (head < 0) return undefined
  const from = head + HEAD_END.length
  const length = LENGTH.exec(text)?.[1]
  const whole = length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= from + Number(length)
  return whole ? from : undefined
}

/** The id of the lobby that was answered. */
export function lobbyIdIn(body: string): string {
  const id = /"lobby_id":"([^"]+)"/.exec(body)?.[1]
  if (id === undefined) throw new Error(`no lobby in ${body}`)
  return id
}
