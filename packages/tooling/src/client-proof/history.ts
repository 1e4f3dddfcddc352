import { setTimeout as wait } from 'node:timers/promises'
import type { LobbySnapshot } from '@matchyard/client'
import { createParser } from 'eventsource-parser'

const ASK_EVERY_MS = 50

/**
 * Returns all versions of a lobby after its creation, as the service's log of the lobby contains them. The read is
 * repeated when the service is killed during the read.
 */
export function historyOf(baseUrl: string, serverKey: string, lobby: LobbySnapshot): Promise<LobbySnapshot[]> {
  return untilAnswered(() => read(baseUrl, serverKey, lobby))
}

/** Repeats a request until the service answers it. Rejects with the last error after `withinMs` milliseconds. */
export async function untilAnswered<T>(ask: () => Promise<T>, withinMs = 300_000): Promise<T> {
  const until = performance.now() + withinMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > until) throw error
      await wait(ASK_EVERY_MS)
    }
  }
}

async function read(baseUrl: string, serverKey: string, lobby: LobbySnapshot): Promise<LobbySnapshot[]> {
  const { lobby_id: lobbyId, version } = lobby
  const history: LobbySnapshot[] = []
  if (version === 1) return history
  const abort = new AbortController()
  const headers = { 'api-key': serverKey, 'x-player-id': 'the proof', 'last-event-id': '1' }
  const answer = await fetch(`${baseUrl}/v1/lobbies/${lobbyId}/events`, { headers, signal: abort.signal })
  if (!answer.ok || answer.body === null) throw new Error(`the history answered ${answer.status}`)
  const parser = createParser({ onEvent: ({ data }) => history.push(JSON.parse(data) as LobbySnapshot) })
  const decoder = new TextDecoder()
  for await (const chunk of answer.body) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    if ((history.at(-1)?.version ?? 0) >= version) break
  }
  abort.abort()
  if (history.at(-1)?.version !== version) throw new Error(`the history of ${lobbyId} broke off`)
  return history
}

/** Returns the values in order, but each value only once when it occurs several times in a row. */
export function changesOf<T>(values: readonly T[]): T[] {
  return values.filter((value, index) => index === 0 || value !== values[index - 1])
}
