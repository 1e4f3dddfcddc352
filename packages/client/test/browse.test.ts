import { expect, it } from 'vitest'
import { createClient } from '../src/index'

it('a list goes on behind a page whose lobbies were all passed over, at the offset of the answer', async () => {
  const asked: string[] = []
  const answers = [
    { total: 252, limit: 50, offset: 250, has_more: true, data: [] },
    { total: 252, limit: 50, offset: 251, has_more: false, data: [{ lobby_id: 'lob_a' }] },
  ]
  const fetch = async (url: string) => {
    asked.push(url.slice('http://play'.length))
    return Response.json(answers.shift())
  }
  const client = createClient({
    baseUrl: 'http://play',
    clientKey: 'ck',
    player: 'ann',
    platform: { fetch: fetch as never },
  })
  const found: string[] = []
  for await (const { lobby_id } of client.lobbies.browse({ queueId: 'duel', includeAbsent: true })) found.push(lobby_id)
  client.close()
  expect(found).toEqual(['lob_a'])
  expect(asked).toEqual([
    '/v1/lobbies?limit=50&queue_id=duel&include_absent=true&offset=0',
    '/v1/lobbies?limit=50&queue_id=duel&include_absent=true&offset=250',
  ])
})
