import { lobbyIdIn, requestOf, runLoad, type Work } from './load'
import type { Ours } from './served'

export type Call = 'create' | 'join' | 'read'
export const CALLS: readonly Call[] = ['create', 'join', 'read']

export const QUEUE = 'calls'
/** Lobbies that are read in turn. */
const READ = 1_000
const CREATE_BODY = JSON.stringify({
  queue_id: QUEUE,
  name: 'A lobby',
  settings: { map: 'desert', mode: 'ranked', rounds: 5 },
  state: { mmr: 1_500, regions: ['fra', 'ams'] },
})
const JOIN_BODY = JSON.stringify({ state: { mmr: 1_500, regions: ['fra', 'ams'] } })

/** Requests of players of one queue, each with a name of its own, and of the lobbies that they create. */
export class Game {
  private players = 0
  /** Ids of the lobbies created in this round and not joined yet. */
  private open: string[] = []
  private readonly read: string[] = []

  private constructor(private readonly key: string) {}

  static async of({ world }: Ours): Promise<Game> {
    const backend = world.client(world.credentials.server_key)
    const body = { queue_id: QUEUE, name: 'Calls', max_players: 8 }
    const { status } = await backend.call({ method: 'POST', path: '/v1/queues', body })
    if (status !== 201) throw new Error(`the queue was refused with ${status}`)
    const game = new Game(world.credentials.client_key)
    const port = Number(new URL(world.baseUrl).port)
    await runLoad(port, game.work('create'), { calls: READ })
    game.read.push(...game.open)
    game.nextRound()
    backend.close()
    game.first = await (
      await fetch(`${world.baseUrl}/v1/lobbies/${game.read[0]}`, { headers: { 'api-key': game.key } })
    ).text()
    return game
  }

  private first = ''

  /** Returns the JSON that a read of a lobby returns. */
  one = async () => this.first

  nextRound(): void {
    this.open = []
  }

  work(call: Call): Work {
    let turn = 0
    switch (call) {
      case 'create':
        return (last) => {
          if (last !== undefined) this.open.push(lobbyIdIn(last))
          return requestOf('POST', '/v1/lobbies', this.headers(), CREATE_BODY)
        }
      case 'join':
        return () =>
          requestOf('POST', `/v1/lobbies/${this.open[turn++ % this.open.length]}/join`, this.headers(), JOIN_BODY)
      case 'read':
        return () => requestOf('GET', `/v1/lobbies/${this.read[turn++ % this.read.length]}`, this.headers())
    }
  }

  echo(call: Call): Work {
    const headers = { 'api-key': this.key, 'x-player-id': 'bob' }
    const body = call === 'create' ? CREATE_BODY : JOIN_BODY
    const request = call === 'read' ? requestOf('GET', '/echo', headers) : requestOf('POST', '/echo', headers, body)
    return () => request
  }

  private headers = () => ({ 'api-key': this.key, 'x-player-id': `p${this.players++}` })
}
