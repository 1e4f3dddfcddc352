import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { MatchyardApp } from '../../../src/index'

export interface Front {
  readonly url: string
  /** What was answered last. */
  readonly last: () => Response | undefined
  close(): void
}

/** The application on a real socket. It hangs up after the first words of a stream, which else would never end. */
export async function frontOf(app: MatchyardApp): Promise<Front> {
  let last: Response | undefined
  const server = createServer(
    getRequestListener(async (request) => {
      // Without Node's own response: a stream is then a body that may be read here.
      const answer = await app.fetch(request)
      last = answer
      return answer.headers.get('content-type')?.startsWith('text/event-stream') ? firstWordsOf(answer) : answer
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    last: () => last,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function firstWordsOf(answer: Response): Promise<Response> {
  const reader = answer.body?.getReader()
  const words = await reader?.read()
  await reader?.cancel()
  return new Response(words?.value, { status: answer.status, headers: { 'content-type': 'text/event-stream' } })
}
