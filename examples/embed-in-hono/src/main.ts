import { serve } from '@hono/node-server'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { createBackend, trustingLogin } from './backend'
import { firstClientKey, startMatchmaker } from './matchmaker'

const secret = process.env.GAME_SECRET
if (secret === undefined) throw new Error('GAME_SECRET is not set; draw one with: openssl rand -base64 48')

const matchmaker = await startMatchmaker({ storage: sqliteStorage({ path: 'game.db' }), secret })
const clientKey = await firstClientKey(matchmaker)
if (clientKey !== undefined) console.log(`the client key, shown this once: ${clientKey}`)
const app = createBackend(matchmaker, trustingLogin)
const server = serve({ fetch: app.fetch, port: 3000 }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}`)
})

process.once('SIGTERM', () => {
  app.closeStreams()
  server.close(() => void matchmaker.matchyard.stop())
})
