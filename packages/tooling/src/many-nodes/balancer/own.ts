import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Balancer } from './balancer'

/**
 * Starts a small load balancer in this process, for machines without nginx. It sends each call to the node with the
 * fewest calls in progress, on connections that stay open.
 */
export async function ownBalancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_024 })
  const inHand = new Map<number, number>()
  let nodes = ports
  const count = (port: number, by: number) => inHand.set(port, (inHand.get(port) ?? 0) + by)
  const server = createServer((asked, answer) => {
    const [port] = [...nodes].sort((a, b) => (inHand.get(a) ?? 0) - (inHand.get(b) ?? 0))
    if (port === undefined) return void answer.writeHead(503).end()
    count(port, 1)
    answer.once('close', () => count(port, -1))
    pass(asked, answer, port, agent)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    name: 'a balancer of the test',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async use(next) {
      nodes = next
    },
    async stop() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function pass(asked: IncomingMessage, answer: ServerResponse, port: number, agent: Agent): void {
  const { method, url, headers } = asked
  const sent = request({ host: '127.0.0.1', port, method, path: url, headers, agent }, (answered) => {
    // These headers apply to one connection only, so the balancer does not forward them.
    const { connection, 'keep-alive': keepAlive, ...others } = answered.headers
    answer.writeHead(answered.statusCode ?? 502, others)
    answered.on('error', () => answer.destroy())
    answered.pipe(answer)
  })
  sent.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
  answer.once('close', () => {
    if (!answer.writableFinished) sent.destroy()
  })
  asked.pipe(sent)
}
