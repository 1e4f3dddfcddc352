import { createClient, isMatchyardError, type Match } from '@matchyard/client'
import type { Standing } from '../game/messages'
import { draw, field, say } from './draw'

/** Answer of the backend to a page. */
interface Session {
  readonly baseUrl: string
  readonly clientKey: string
  readonly queueId: string
  readonly player: { readonly id: string; readonly name: string }
}

const session = await whoAmI()
const { player, queueId } = session
const matchyard = createClient({ baseUrl: session.baseUrl, clientKey: session.clientKey, player: player.id })

field.play.addEventListener('click', async () => {
  field.play.hidden = true
  say('Looking for somebody …')
  try {
    // After a reload the player may still be in a match.
    const match = (await matchyard.resume()) ?? (await matchyard.play(queueId))
    const last = await playOn(match)
    // The lobby is no longer needed; the next round has its own.
    await match.lobby.leave()
    say(last === undefined ? 'The match is over.' : last.winner === player.id ? 'You win!' : 'So close. Again?')
  } catch (error) {
    if (!isMatchyardError(error)) throw error
    say(error.code === 'MATCHMAKING_ENDED' ? 'Nobody came. Try again in a moment.' : error.detail)
  } finally {
    field.play.hidden = false
  }
})

/** Plays until the game server has named the winner or is gone; returns its last state. */
function playOn(match: Match): Promise<Standing | undefined> {
  const { host, port, tls, joinToken: token } = match.endpoint('game')
  const socket = new WebSocket(`${tls ? 'wss' : 'ws'}://${host}:${port}`)
  const send = (message: object) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message))
  let last: Standing | undefined
  field.star.onclick = () => {
    if (last?.star) send({ type: 'catch', n: last.star.n })
  }
  socket.onopen = () => send({ type: 'join', token, name: player.name })
  socket.onmessage = ({ data }) => {
    last = JSON.parse(data) as Standing
    draw(last, player.id)
    if (last.winner !== null) socket.close()
  }
  return new Promise((done) => {
    socket.onclose = () => done(last)
  })
}

/** Returns the session of this window, so that two windows of one browser are two players; a reload keeps it. */
async function whoAmI(): Promise<Session> {
  const kept = sessionStorage.getItem('session')
  const answer = await fetch('/session', { method: 'POST', body: kept })
  const text = await answer.text()
  sessionStorage.setItem('session', text)
  return JSON.parse(text)
}
