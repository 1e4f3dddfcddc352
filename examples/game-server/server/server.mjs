#!/usr/bin/env node
// A small game server: players greet it over UDP, and it relays their messages. README.md has the protocol.
import { readConfig, withoutSecrets } from './lib/config.mjs'
import { serveControl } from './lib/control.mjs'
import { followEvents } from './lib/events.mjs'
import { Match } from './lib/match.mjs'
import { servePlayers } from './lib/players.mjs'
import { ServiceApi } from './lib/service-api.mjs'

const onTerm = (work) => process.removeAllListeners('SIGTERM').on('SIGTERM', work)

// Before the match no player is connected, so none is told.
onTerm(() => process.exit(0))

const config = await readConfig()
const api = new ServiceApi(config)
const match = new Match(config)

let ending = false

/** Ends the match: tells the players and the service, and exits with 0. */
async function end(reason, { tellService }) {
  if (ending) return
  ending = true
  console.log(`ending: ${reason}`)
  await Promise.all([players?.farewell(), tellService ? api.shutdown() : undefined])
  process.exit(0)
}

const over = () => end('the match is over', { tellService: true })

const players = await servePlayers(Number(process.env.PORT_GAME), match, over)
const control = await serveControl(Number(process.env.PORT_CONTROL), withoutSecrets(config), match, over)
if (players === undefined && control === undefined) {
  console.error('neither PORT_GAME nor PORT_CONTROL is set: there is nothing to listen on')
  process.exit(2)
}
// The service stops a server by SIGTERM and waits ten seconds, which is enough for a last message.
onTerm(() => end('SIGTERM', { tellService: false }))
console.log(`match ${config.match_id ?? '(none)'}: waiting for ${match.expected.size} players`)
await api.ready()
void followEvents(api, { match_updated: ({ teams }) => match.expect(teams) })
api.keepBeating()
