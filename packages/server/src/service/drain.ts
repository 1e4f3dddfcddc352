import type { Server } from 'node:http'

/** Between looks at what is still in hand. */
const LOOK_EVERY_MS = 20

/** Counts the requests in hand of a server. */
export function countRequests(server: Server): () => number {
  let inHand = 0
  server.on('request', (_request, response) => {
    inHand++
    response.once('close', () => inHand--)
  })
  return () => inHand
}

/**
 * Lets go of a server: waits until no request is in hand, still answering those that come (a load balancer learns from
 * `/readyz` to send them elsewhere), then closes the door; whatever is left after `graceMs` is cut off.
 */
export async function drain(server: Server, inHand: () => number, graceMs: number): Promise<void> {
  const until = performance.now() + graceMs
  while (inHand() > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const hurry = setTimeout(() => server.closeAllConnections(), Math.max(0, until - performance.now()))
  await closed
  clearTimeout(hurry)
}
