#!/usr/bin/env node
// A small game server: players greet it over UDP and it relays what they say. See README.md for the protocol.
import { readConfig, withoutSecrets } from './lib/config.mjs'
import { serveControl } from './lib/control.mjs'
import { followEvents } from './lib/events.mjs'
import { Match } from './lib/match.mjs'
import { servePlayers } from './lib/players.mjs'
import { ServiceApi } from './lib/service-api.mjs'

const onTerm = (work) => process.removeAllListeners('SIGTERM').on('SIGTERM', work)

// Nobody plays yet: there is nobody to tell.
onTerm(() => process.exit(0))

const config = await readConfig()
const api = new ServiceApi(config)
const match = new Match(config)

let ending = false

/** The match is over: everyone is told, the service is told, and the process ends with 0. */
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
// The service asks like this, and waits ten seconds: there is time for a farewell.
onTerm(() => end('SIGTERM', { tellService: false }))
console.log(`match ${config.match_id ?? '(none)'}: waiting for ${match.expected.size} players`)
await api.ready()
void followEvents(api, { match_updated: ({ teams }) => match.expect(teams) })
api.keepBeating()
