import { Agent, request } from 'node:http'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const CALLERS = 32
const BEFORE_SIGNAL_MS = 1_000

/** Callers on kept connections call without a pause while the service gets SIGTERM. */
export const row: HarmRow = {
  name: 'sigterm-busy',
  harm: '32 callers on kept connections, SIGTERM in the middle',
  async run(): Promise<readonly HarmFigure[]> {
    const world = await HarmWorld.serve()
    try {
      const counts = { answered: 0, cut: 0, refused: 0 }
      let over = false
      const callers = Array.from({ length: CALLERS }, () => callOn(world, counts, () => over))
      await new Promise((resolve) => setTimeout(resolve, BEFORE_SIGNAL_MS))
      const before = { ...counts }
      const tookMs = await world.end('SIGTERM')
      over = true
      await Promise.all(callers)
      const during = counts.answered - before.answered
      return [
        { what: 'calls answered (a second; then to the exit)', unit: '', quiet: before.answered, attacked: during },
        { what: 'calls cut off', unit: '', quiet: before.cut, attacked: counts.cut },
        { what: 'SIGTERM to exit', unit: 'ms', quiet: 0, attacked: tookMs },
      ]
    } finally {
      await world.stop()
    }
  },
}

/**
 * Calls on one connection until a connection is refused: then the listener is closed, and a load balancer would choose
 * another node.
 */
async function callOn(
  world: HarmWorld,
  counts: { answered: number; cut: number; refused: number },
  isOver: () => boolean,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (!isOver()) {
    const code = await new Promise<string | undefined>((resolve) => {
      const sent = request(`${world.baseUrl}/v1/lobbies?queue_id=demo`, {
        agent,
        headers: { 'api-key': world.credentials.client_key },
      })
      sent.once('response', (answer) => {
        answer.once('error', () => resolve('ECONNRESET'))
        answer.once('end', () => resolve(undefined))
        answer.resume()
      })
      sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
      sent.end()
    })
    if (code === undefined) counts.answered++
    else if (code === 'ECONNREFUSED') {
      counts.refused++
      break
    } else counts.cut++
  }
  agent.destroy()
}
