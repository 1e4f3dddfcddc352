import { connect, type Socket } from 'node:net'

/** Milliseconds until a caller connects again after the service closed its connection without an answer. */
const AGAIN_MS = 50

export interface RawCalls {
  readonly baseUrl: string
  readonly callers: number
  /** The complete text of one request, which asks for `connection: close`. */
  readonly request: string
  /** Whether answers are read; otherwise each caller sends one request and keeps its connection open. */
  readonly reads: boolean
  readonly forMs: number
}

/**
 * Sends requests one after another from `callers` callers, each on a new connection, and returns the number of answers.
 */
export async function callRaw({ baseUrl, callers, request, reads, forMs }: RawCalls): Promise<number> {
  const { hostname, port } = new URL(baseUrl)
  const open = new Set<Socket>()
  let answered = 0
  let isOver = false
  const call = () => {
    if (isOver) return
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request))
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      open.delete(socket)
      setTimeout(call, AGAIN_MS)
    })
    if (!reads) return
    let isAnswered = false
    socket.on('data', () => {
      if (!isAnswered) answered++
      isAnswered = true
    })
  }
  for (let n = 0; n < callers; n++) call()
  await new Promise((resolve) => setTimeout(resolve, forMs))
  isOver = true
  for (const socket of open) socket.destroy()
  return answered
}

/** Returns the text of an HTTP/1.1 request. */
export const requestOf = (line: string, headers: Record<string, string>, body = ''): string => {
  const all = { host: 'localhost', connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers }
  return `${line} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`
}
