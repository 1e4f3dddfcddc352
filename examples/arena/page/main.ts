import { createClient } from '@matchyard/client'
import { App } from './app'
import { whoIsHere } from './who'

interface Settings {
  readonly baseUrl: string
  readonly clientKey: string
  readonly queueId: string
}

const settings = (await (await fetch('settings.json')).json()) as Settings
const who = whoIsHere()
const client = createClient({
  baseUrl: settings.baseUrl,
  clientKey: settings.clientKey,
  player: who.id,
  storage: sessionStorage,
})
await new App(client, settings.queueId, who).begin()
