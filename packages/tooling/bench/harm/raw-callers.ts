import { connect, type Socket } from 'node:net'

/** The service answers nobody whose connection it has lost: such a caller connects again after this. */
const AGAIN_MS = 50

export interface RawCalls {
  readonly baseUrl: string
  readonly callers: number
  /** The whole of one request, as it goes over the wire; it asks for `connection: close`. */
  readonly request: string
  /** Whether answers are read; otherwise each caller sends one request, and holds on to its connection. */
  readonly reads: boolean
  readonly forMs: number
}

/** Sends one request after another on so many connections of their own; answers how many were answered. */
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

/** A request as text. */
export const requestOf = (line: string, headers: Record<string, string>, body = ''): string => {
  const all = { host: 'localhost', connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers }
  return `${line} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`
}
