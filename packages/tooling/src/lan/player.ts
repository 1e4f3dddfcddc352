// Plays a whole match from the machine on which it runs, and prints what the players saw.
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { createClient } from '@matchyard/client'
import { UdpPlayer } from '../documents/udp-player'

export interface Seen {
  /** Host of the game server in the match. */
  readonly host: string
  /** Texts that the game server sent back over UDP, and over TCP. */
  readonly udp: string
  readonly tcp: string
  /** Reason why the match ended. */
  readonly reason: string
}

const { baseUrl, clientKey } = JSON.parse(await text(process.stdin)) as { baseUrl: string; clientKey: string }
const clients = ['ann', 'bob'].map((player) => createClient({ baseUrl, clientKey, player }))
const [match] = await Promise.all(clients.map((client) => client.play('demo', { state: { mmr: 1500 } })))
if (match === undefined) throw new Error('there is no match')
const player = new UdpPlayer(match)
const udp = await player.ask('hello ann')
const { host, port } = match.endpoint('control')
const control = connect(port, host).setEncoding('utf8')
control.write('ping\n')
const [tcp] = (await once(control, 'data')) as [string]
control.destroy()
player.say('over')
const { reason } = await match.ended
player.close()
for (const client of clients) client.close()
console.log(JSON.stringify({ host, udp, tcp: tcp.trim(), reason } satisfies Seen))
