import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@matchyard/core'
import { SILENT_LOGGER } from '@matchyard/core/ports'
import type { Exchange } from './exchange/exchange'
import { newRequestId } from './middleware/request-id'
import { problemAnswer } from './problem'

/** Maximum bytes of the request line and all headers of one request: a player token of 8 kB, and 4 kB for the rest. */
export const MAX_HEAD_BYTES = 12 * 1_024
/** Maximum number of headers of one request. Proxies and browsers add a few dozen. */
export const MAX_HEADERS = 100

const tooLong = (what: string) => new ServiceError('PAYLOAD_TOO_LARGE', `the request ${what}`, {}, 'head_too_large')

/** Throws `PAYLOAD_TOO_LARGE` (status 431) for a request with more than `MAX_HEADERS` headers. */
export function requireFewHeaders({ incoming }: Pick<Exchange, 'incoming'>): void {
  if (incoming !== undefined && incoming.rawHeaders.length > 2 * MAX_HEADERS) {
    throw tooLong(`has more than ${MAX_HEADERS} headers`)
  }
}

type Faulty = Duplex & { readonly _httpMessage?: ServerResponse | null }

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/**
 * Limits the number of headers of a server's requests. A request whose head is too long gets a problem document, while
 * Node would send only a status. `NODE_SERVER_OPTIONS` limits the bytes of a head. Other requests that Node cannot
 * parse get the status that Node would send.
 */
export function refuseLongHeads(server: Server): void {
  // One header more than the maximum is kept, so that `requireFewHeaders` sees that there are too many. Node drops all
  // headers beyond this number.
  server.maxHeadersCount = MAX_HEADERS + 1
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Faulty) => {
    // An answer that was sent in part cannot be replaced.
    if (socket.writable && !socket._httpMessage?.headersSent) {
      const line = STATUS_LINES[code] ?? '400 Bad Request'
      socket.write(code === 'HPE_HEADER_OVERFLOW' ? longHeadAnswer() : `HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`)
    }
    if ('destroySoon' in socket && typeof socket.destroySoon === 'function') socket.destroySoon()
    else socket.destroy()
  })
}

function longHeadAnswer(): string {
  const error = tooLong(`the request line and the headers are together longer than ${MAX_HEAD_BYTES} bytes`)
  const { status, headers, body } = problemAnswer(error, newRequestId(), {}, SILENT_LOGGER)
  const all = { ...headers, 'content-length': Buffer.byteLength(body ?? ''), connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Request Header Fields Too Large\r\n${lines.join('')}\r\n${body}`
}
