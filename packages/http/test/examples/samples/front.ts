import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { MatchyardApp } from '../../../src/index'

export interface Front {
  readonly url: string
  /** Returns the last answer of the application. */
  readonly last: () => Response | undefined
  close(): void
}

/** Serves the application on a real socket. A stream is closed after its first chunk, because it would never end. */
export async function frontOf(app: MatchyardApp): Promise<Front> {
  let last: Response | undefined
  const server = createServer(
    getRequestListener(async (request) => {
      // The bindings of Node's response are not passed, so a stream is an ordinary body that can be read here.
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
