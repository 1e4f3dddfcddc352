import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '@matchyard/client'
import { WebSocket } from 'ws'
import { prepare } from '../backend/prepare'
import { findMatchyard } from '../backend/service'
import { serve } from '../backend/web'
import type { Standing } from '../game/messages'

/** Plays as a page does; an eager player catches every star at once. Returns the last state of the round. */
async function play(url: string, isEager: boolean): Promise<{ me: string; last: Standing }> {
  const answer = await fetch(new URL('session', url), { method: 'POST' })
  const { baseUrl, clientKey, queueId, player } = (await answer.json()) as {
    baseUrl: string
    clientKey: string
    queueId: string
    player: { id: string; name: string }
  }
  const match = await createClient({ baseUrl, clientKey, player: player.id }).play(queueId)
  const { host, port, joinToken: token } = match.endpoint('game')
  const socket = new WebSocket(`ws://${host}:${port}`)
  socket.on('open', () => socket.send(JSON.stringify({ type: 'join', token, name: player.name })))
  const last = await new Promise<Standing>((over, failed) => {
    socket.on('error', failed)
    socket.on('message', (data) => {
      const now = JSON.parse(String(data)) as Standing
      if (now.star !== null && isEager) socket.send(JSON.stringify({ type: 'catch', n: now.star.n }))
      if (now.winner !== null) over(now)
    })
  })
  socket.close()
  assert.equal((await match.ended).reason, 'match_ended')
  await match.lobby.leave()
  return { me: player.id, last }
}

test('two players meet, play a match on the game server, and one of them wins', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'five-stars-'))
  const matchyard = await findMatchyard(folder)
  const web = await serve(matchyard, await prepare(matchyard), 0)
  try {
    const page = await (await fetch(web.url)).text()
    assert.match(page, /Five stars/)
    assert.match(await (await fetch(new URL('main.js', web.url))).text(), /matchyard/i)
    const [ann, bob] = await Promise.all([play(web.url, true), play(web.url, false)])
    assert.equal(ann.last.winner, ann.me)
    assert.deepEqual(bob.last, ann.last)
  } finally {
    await web.close()
    await matchyard.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
})
