import type { LobbySnapshot } from '@matchyard/client'
import { createParser } from 'eventsource-parser'

/** What the service itself says happened to a lobby after its creation, version by version. */
export async function historyOf(
  baseUrl: string,
  serverKey: string,
  { lobby_id: lobbyId, version }: LobbySnapshot,
): Promise<LobbySnapshot[]> {
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
  return history
}

/** Values in the order in which they were seen, each once for as long as it stood. */
export function changesOf<T>(values: readonly T[]): T[] {
  return values.filter((value, index) => index === 0 || value !== values[index - 1])
}
