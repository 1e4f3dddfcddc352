import { serve } from '@hono/node-server'
import { createBackend } from './backend'
import { openDatabase } from './database'
import { readSettings } from './settings'

const {
  SETTINGS = 'backend.json',
  DATABASE = 'backend.db',
  PORT = '3000',
  GAME_HOST = '127.0.0.1',
  GAME_PORT = '7777',
} = process.env

const database = openDatabase(DATABASE)
const settings = readSettings(SETTINGS)
const app = createBackend({
  ...{ database, settings },
  // The whole fleet is one game server at a fixed address. Your backend finds a free server here.
  place: async () => ({ host: GAME_HOST, port: Number(GAME_PORT) }),
  begin: async (match) => console.log(`match ${match.match_id} begins`),
})
const server = serve({ fetch: app.fetch, port: Number(PORT) }, ({ port }) =>
  console.log(`listening on http://127.0.0.1:${port}`),
)

process.once('SIGTERM', () => server.close(() => database.close()))
