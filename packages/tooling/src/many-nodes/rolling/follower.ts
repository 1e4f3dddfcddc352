import { setTimeout as wait } from 'node:timers/promises'
import { EventReader } from '../event-reader'
import { makeLobby, ROOMS } from './lobbies'
import type { Traffic } from './traffic'

const CHANGE_EVERY_MS = 60
/** Milliseconds within which a stream must deliver the expected version; after that it counts as stuck. */
const CATCH_UP_MS = 20_000

/**
 * Reads the stream of a lobby that changes all the time, resumes where a stream ended, and checks that each event comes
 * exactly once, in order.
 */
export class Follower {
  private last = 0
  private reader: EventReader | undefined
  private over = false

  constructor(
    private readonly traffic: Traffic,
    private readonly player: string,
  ) {}

  async run(): Promise<void> {
    const { traffic, player } = this
    const lobbyId = await makeLobby(traffic, player, ROOMS.queue_id)
    if (lobbyId === undefined) return
    const following = this.follow(lobbyId)
    const path = `/v1/lobbies/${lobbyId}`
    await traffic.repeat(async (turn) => {
      const body = { state: { turn } }
      await traffic.call({ method: 'PATCH', path: `${path}/players/${player}`, player, body, expects: 200 })
    }, CHANGE_EVERY_MS)
    const version = (await traffic.call<{ version: number }>({ method: 'GET', path, expects: 200 }))?.body.version ?? 0
    const until = performance.now() + CATCH_UP_MS
    while (this.last < version && performance.now() < until) await wait(CHANGE_EVERY_MS)
    if (this.last !== version) traffic.violations.push(`a stream ended at ${this.last}; its lobby is at ${version}`)
    this.over = true
    this.reader?.close()
    await following
  }

  private async follow(lobbyId: string): Promise<void> {
    const { traffic, player } = this
    while (!this.over) {
      const { baseUrl, key } = traffic
      const lastEventId = this.last === 0 ? undefined : this.last
      const opened = EventReader.open({ baseUrl, key, player, lobbyId, lastEventId }, ({ name, id }) =>
        this.take(name, id),
      )
      const reader = await opened.catch((error: unknown) => {
        traffic.failed.push(`a stream of ${lobbyId}: ${String(error)}`)
        return undefined
      })
      if (reader === undefined) continue
      if (reader.status !== 200) traffic.failed.push(`a stream of ${lobbyId}: ${reader.status}`)
      this.reader = reader
      traffic.count(lastEventId === undefined ? 'streams opened' : 'streams resumed')
      await reader.ended
      if (this.over) return
      traffic.count('streams ended')
      const { retryMs } = reader
      if (retryMs === undefined) traffic.violations.push('a stream ended and did not say when to come back')
      await wait(retryMs ?? 0)
    }
  }

  private take(name: string, id: number): void {
    this.traffic.count('events')
    const expected = this.last + 1
    if (this.last > 0 && (name !== 'lobby_updated' || id !== expected))
      this.traffic.violations.push(`a stream went on with ${name} ${id} instead of ${expected}`)
    this.last = id
  }
}
