import type { ServerResponse } from 'node:http'

/** Answer to a call, before it is converted to a response of the platform. */
export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  /** Text of the body; null if there is no body. */
  readonly body: string | null
}

export const toResponse = ({ status, headers, body }: Answer): Response => new Response(body, { status, headers })

/**
 * Returns the length of an answer's body. For a text this is the number of characters, which is less than the number of
 * bytes if the text contains characters other than ASCII.
 */
export const lengthOf = (answer: Answer | Response): number =>
  answer instanceof Response ? announcedBytes(answer.headers.get('content-length')) : (answer.body?.length ?? 0)

/** Returns the number of bytes in a `content-length` header; 0 if the header is missing. */
export const announcedBytes = (header: string | null | undefined): number =>
  header === null || header === undefined ? 0 : Math.max(0, Number(header) || 0)

/** Sends an answer, with head and body in one write. */
export function send(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  // The length must be set before the head is written; otherwise Node uses chunked encoding. A 204 has no length (RFC
  // 9110 §8.6).
  if (status !== 204) headers['content-length'] = String(body === null ? 0 : Buffer.byteLength(body))
  outgoing.writeHead(status, headers)
  if (body === null) outgoing.end()
  else outgoing.end(body)
}

/** Header of a response that a stream writes itself. `@hono/node-server` knows the header too. */
export const ALREADY_SENT = 'x-hono-already-sent'

/** Writes a response that a handler has created itself. A stream has written its response already. */
export async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  if (response.headers.has(ALREADY_SENT)) return
  const body = new Uint8Array(await response.arrayBuffer())
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-length': body.byteLength })
  outgoing.end(body)
}
