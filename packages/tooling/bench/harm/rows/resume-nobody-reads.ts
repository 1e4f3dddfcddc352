import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Client } from '../../../src/client'
import type { HarmFigure, HarmRow } from '../row'
import { type Figures, HarmWorld } from '../world'

const PATCHING_MS = 8_000
const WATCHED_MS = 8_000
/** A free-form object may have 16 kB. With one such state for each of the players, a lobby has about 224 kB. */
const STATE_BYTES = 16_000
const PLAYERS = 14

export const row: HarmRow = {
  name: 'resume-nobody-reads',
  harm: 'eight seconds of PATCHes on a 224 kB lobby, then streams resumed from far back whose sockets are never read',
  async run() {
    const world = await HarmWorld.start()
    try {
      const lobby = await LargeLobby.make(world)
      const quiet = await world.watch(() => pause(WATCHED_MS))
      await lobby.changeFor(PATCHING_MS)
      const figures: HarmFigure[] = []
      for (const resumes of [60, 200]) {
        const attacked = await world.watch(() => lobby.resumeUnread(resumes, WATCHED_MS))
        figures.push(...shown(`${resumes} resumes`, quiet, attacked, world))
        if (!isAlive(world)) break
      }
      return figures
    } finally {
      await world.stop()
    }
  },
}

const shown = (name: string, quiet: Figures, attacked: Figures, world: HarmWorld): HarmFigure[] => [
  { what: `${name}: /livez, median`, unit: 'ms', quiet: quiet.livezMs.p50, attacked: attacked.livezMs.p50 },
  { what: `${name}: /livez, longest`, unit: 'ms', quiet: quiet.livezMs.max, attacked: attacked.livezMs.max },
  { what: `${name}: memory`, unit: 'MB', quiet: attacked.memoryMb.before, attacked: attacked.memoryMb.peak },
  { what: `${name}: service still there`, unit: '', quiet: 1, attacked: isAlive(world) ? 1 : 0 },
]

const isAlive = ({ process }: HarmWorld) => process.exitCode === null && process.signalCode === null

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

class LargeLobby {
  private constructor(
    private readonly world: HarmWorld,
    private readonly client: Client,
    private readonly path: string,
  ) {}

  static async make(world: HarmWorld): Promise<LargeLobby> {
    const queue = { queue_id: 'crowd', name: 'Crowd', max_players: PLAYERS }
    await ok(world.client(world.credentials.server_key).call({ method: 'POST', path: '/v1/queues', body: queue }))
    const client = world.client()
    const made = { method: 'POST', path: '/v1/lobbies', player: 'p0', body: { queue_id: 'crowd' } }
    const { lobby_id: id } = await ok<{ lobby_id: string }>(client.call(made))
    const lobby = new LargeLobby(world, client, `/v1/lobbies/${id}`)
    for (let player = 0; player < PLAYERS; player++) {
      if (player > 0) await ok(client.call({ method: 'POST', path: `${lobby.path}/join`, player: `p${player}` }))
      await lobby.change(player, 0)
    }
    return lobby
  }

  async changeFor(ms: number): Promise<void> {
    const until = performance.now() + ms
    let n = 0
    const changing = Array.from({ length: 4 }, async () => {
      while (performance.now() < until) await this.change(n % PLAYERS, ++n)
    })
    await Promise.all(changing)
  }

  /**
   * Resumes `count` streams without reading them: half from the first event, half from the oldest event that 4 MB of
   * log can hold.
   */
  async resumeUnread(count: number, ms: number): Promise<void> {
    const { version } = await ok<{ version: number }>(
      this.client.call({ method: 'GET', path: this.path, player: 'p0' }),
    )
    const sockets = Array.from({ length: count }, (_, index) => this.open(index % 2 === 0 ? 1 : version - 16))
    await pause(ms)
    for (const socket of sockets) socket.destroy()
    await Promise.all(sockets.filter(({ closed }) => !closed).map((socket) => once(socket, 'close')))
  }

  private open(lastEventId: number): Socket {
    const { hostname, port, host } = new URL(this.world.baseUrl)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    // A paused socket accepts no more bytes than fit in the kernel's buffers.
    socket.pause()
    const head = [
      `GET ${this.path}/events HTTP/1.1`,
      `host: ${host}`,
      `api-key: ${this.world.credentials.client_key}`,
      'x-player-id: p0',
      `last-event-id: ${lastEventId}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    return socket
  }

  private async change(player: number, n: number): Promise<void> {
    const name = `p${player}`
    const body = { state: { n, filler: 'x'.repeat(STATE_BYTES) } }
    await this.client.call({ method: 'PATCH', path: `${this.path}/players/${name}`, player: name, body })
  }
}

async function ok<T = Record<string, unknown>>(call: Promise<{ status: number; body: unknown }>): Promise<T> {
  const { status, body } = await call
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  return body as T
}
