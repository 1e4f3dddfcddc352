import type { ServerResponse } from 'node:http'

/** Answer to a call, before it becomes a response of a platform. */
export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  /** Null where there is none. */
  readonly body: string | null
}

export const toResponse = ({ status, headers, body }: Answer): Response => new Response(body, { status, headers })

/** The length of an answer's body: in characters of a text, which are its bytes but for letters beyond ASCII. */
export const lengthOf = (answer: Answer | Response): number =>
  answer instanceof Response ? announcedBytes(answer.headers.get('content-length')) : (answer.body?.length ?? 0)

/** Returns the bytes that a `content-length` announces; 0 without one. */
export const announcedBytes = (header: string | null | undefined): number =>
  header === null || header === undefined ? 0 : Math.max(0, Number(header) || 0)

/** Writes an answer: head and body go to the socket together. */
export function send(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  // Known before the head is written, or Node sends it in chunks; a 204 has none (RFC 9110 §8.6).
  if (status !== 204) headers['content-length'] = String(body === null ? 0 : Buffer.byteLength(body))
  outgoing.writeHead(status, headers)
  if (body === null) outgoing.end()
  else outgoing.end(body)
}

/** Writes a response of a handler that made its own: a page, never a stream. */
export async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer())
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-length': body.byteLength })
  outgoing.end(body)
}
