import { expect, it } from 'vitest'
import { createClient } from '../src/index'

it('a change of a state resolves with its event, although the event has no private list', async () => {
  const lobby = (version: number, state: object) => ({
    ...{ lobby_id: 'lob_a', version, status: 'waiting', host_player_id: 'ann', match_id: null, last_exit: null },
    players: [{ player_id: 'ann', is_host: true, joined_at: '2026-03-01T12:00:00.000Z', state }],
  })
  let push = (_: object) => {}
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      push = (data) =>
        stream.enqueue(new TextEncoder().encode(`event: lobby_updated\ndata: ${JSON.stringify(data)}\n\n`))
    },
  })
  const answers: Record<string, () => Response> = {
    POST: () => Response.json(lobby(1, { avoid: ['zed'], hat: 'red' }), { status: 201 }),
    GET: () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    PATCH: () => {
      push(lobby(2, { hat: 'blue' }))
      return Response.json({ player_id: 'ann', state: { avoid: ['zed'], hat: 'blue' } })
    },
  }
  const fetch = async (_: string, { method = 'GET' }: RequestInit = {}) => answers[method]?.()
  // Time does not pass, so nothing but the event ends the wait.
  const platform = { fetch: fetch as never, after: () => () => {} }
  const client = createClient({ baseUrl: 'http://play', clientKey: 'ck', player: 'ann', platform })
  const followed = await client.lobbies.create({ queueId: 'duel' })
  const changed = await followed.setState({ hat: 'blue' })
  expect(changed.state).toEqual({ avoid: ['zed'], hat: 'blue' })
  expect(followed.current.version).toBe(2)
  client.close()
})
