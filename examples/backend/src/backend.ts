import { timingSafeEqual } from 'node:crypto'
import { isMatchyardError } from '@matchyard/client'
import { createAdmin, mintPlayerToken, verifyWebhook, type WebhookMessage } from '@matchyard/client/admin'
import { Hono } from 'hono'
import { z } from 'zod'
import type { StudioDatabase } from './database'
import { passwordLogin } from './login'
import { ISSUER } from './set-up'
import type { Settings } from './settings'

/**
 * Lifetime of a player token in seconds. The token holds the rating, so a shorter lifetime applies a new rating sooner.
 */
const TOKEN_SECONDS = 300

type Match = Extract<WebhookMessage, { type: 'match.found' }>['data']

export interface BackendOptions {
  readonly database: StudioDatabase
  readonly settings: Settings
  /** Returns the address of a free game server for a match. */
  readonly place: (match: Match) => Promise<{ readonly host: string; readonly port: number }>
  /** Tells the game server the match's players and the key for their join tokens. */
  readonly begin: (match: Match, joinTokenKey: string) => Promise<void>
}

// The name becomes a player's id, which is part of headers and paths.
const credentials = z.object({ name: z.string().regex(/^\w{1,32}$/), password: z.string().min(8).max(256) })
const outcome = z.object({ winner: z.string() })

/** Returns the studio's HTTP interface: calls of the game, webhooks of Matchyard, results of game servers. */
export function createBackend({ database, settings, place, begin }: BackendOptions) {
  const { baseUrl, serverKey, playerSecret, webhookSecret, resultKey } = settings
  const admin = createAdmin({ baseUrl, serverKey })
  const login = passwordLogin(database)
  const app = new Hono<{ Variables: { name: string } }>()

  // Accounts of players, by the studio's own login.
  app.post('/players', async (c) => {
    const given = credentials.safeParse(await c.req.json().catch(() => undefined))
    if (!given.success) return c.json({ error: z.prettifyError(given.error) }, 400)
    const session = await login.register(given.data.name, given.data.password)
    return session === undefined ? c.json({ error: 'the name is taken' }, 409) : c.json({ session }, 201)
  })
  app.post('/sessions', async (c) => {
    const given = credentials.safeParse(await c.req.json().catch(() => undefined))
    const session = given.success ? await login.login(given.data.name, given.data.password) : undefined
    return session === undefined ? c.json({ error: 'wrong name or password' }, 401) : c.json({ session })
  })
  app.use('/me/*', async (c, next) => {
    const name = login.whoIs(c.req.header('authorization'))
    if (name === undefined) return c.json({ error: 'log in first' }, 401)
    c.set('name', name)
    await next()
  })

  // A token with the player's id and rating for Matchyard. Players cannot set either of them.
  app.post('/me/player-token', async (c) => {
    const playerId = c.get('name')
    const state = { mmr: database.player(playerId)?.mmr ?? 1500 }
    const token = await mintPlayerToken({
      ...{ playerId, state, issuer: ISSUER, secret: playerSecret, expiresInSeconds: TOKEN_SECONDS },
    })
    return c.json({ token })
  })
  app.get('/me/matches', (c) => c.json(database.matchesOf(c.get('name'))))
  app.get('/leaderboard', (c) => c.json(database.best()))

  // Webhook messages of the project. A message is acknowledged with 2xx only after it was processed; other messages are
  // sent again.
  app.post('/webhooks', async (c) => {
    const body = await c.req.text()
    const message = await verifyWebhook(body, c.req.raw.headers, webhookSecret).catch(() => undefined)
    if (message === undefined) return c.json({ error: 'not a message of the service' }, 400)
    if (message.type !== 'match.found' && message.type !== 'match.ended') return c.body(null, 204)
    if (database.hasTaken(message.id)) return c.body(null, 204)
    const { match_id: matchId, version, status } = message.data
    if (message.type === 'match.found') await bring(message.data)
    database.take(message.id, { matchId, version, status, players: namesOf(message.data) })
    return c.body(null, 204)
  })

  // Result of a match, from a game server of the studio. A repeated result counts once and continues an interrupted
  // attempt.
  app.post('/matches/:id/result', async (c) => {
    const given = outcome.safeParse(await c.req.json().catch(() => undefined))
    if (!isEqual(c.req.header('authorization') ?? '', `Bearer ${resultKey}`))
      return c.json({ error: 'who are you?' }, 401)
    const match = await admin.matches.get(c.req.param('id')).catch(ifAbsent)
    const winners = match?.teams.find(({ name }) => given.data?.winner === name)
    if (match === undefined || winners === undefined) return c.json({ error: 'no such match, or no such team' }, 400)
    const others = match.teams.filter((team) => team !== winners)
    database.rate(match.match_id, winners.name, namesOf({ teams: [winners] }), namesOf({ teams: others }))
    const lobby = match.teams.flatMap(({ players }) => players).find(({ left_at }) => left_at === undefined)
    if (lobby !== undefined && match.status !== 'ended') await admin.lobbies.endMatch(lobby.lobby_id).catch(ifOver)
    return c.body(null, 204)
  })

  async function bring(match: Match): Promise<void> {
    const { host, port } = await place(match)
    const assigned = await admin.matches.assign(match.match_id, { host, ports: [{ name: 'game', port }] }).catch(ifOver)
    if (assigned !== undefined) await begin(match, assigned.join_token_key)
  }
  return app
}

const namesOf = ({ teams }: Pick<Match, 'teams'>): string[] => [
  ...new Set(teams.flatMap(({ players }) => players.map(({ player_id }) => player_id))),
]

function isEqual(one: string, other: string): boolean {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === others.length && timingSafeEqual(bytes, others)
}

/** Returns undefined for an error that says that the thing does not exist; throws other errors. */
function ifAbsent(error: unknown): undefined {
  if (!isMatchyardError(error, 'MATCH_NOT_FOUND')) throw error
}

/**
 * Returns undefined for an error that says that the match has ended, which is the wanted state; throws other errors.
 */
function ifOver(error: unknown): undefined {
  const isOver = ['INVALID_MATCH_STATE', 'INVALID_LOBBY_STATE', 'LOBBY_NOT_FOUND', 'MATCH_NOT_FOUND'] as const
  if (!isOver.some((code) => isMatchyardError(error, code))) throw error
}
