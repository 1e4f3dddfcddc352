import type { Lobby } from '@matchyard/core'
import { lobbyLabels, openSeats } from '@matchyard/core/ports'
import { sampleLobby } from '@matchyard/testkit'
import { afterEach, expect, it } from 'vitest'
import { SqliteDatabase as Database } from '../src/library'
import { migrate } from '../src/migrate'
import { MIGRATIONS } from '../src/migrations/index'

/** How many migrations a file had seen before lobbies had labels. */
const BEFORE = 7
const APPLICATION_ID = 0x4d595244

const aLobby = (n: number, fields: Partial<Lobby>): Lobby => ({ ...sampleLobby(n), ...fields })

const db = new Database(':memory:')
afterEach(() => db.close())

it('lobbies from before are found by the very labels that they would be given now', () => {
  for (const { sql } of MIGRATIONS.slice(0, BEFORE)) db.exec(sql)
  db.pragma(`application_id = ${APPLICATION_ID}`)
  db.pragma(`user_version = ${BEFORE}`)
  const settings = { mode: 'du"el\n', level: 5, half: 1.5, on: true, off: false, none: null, deep: { a: 1 }, list: [1] }
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`key${n}`, n]))
  const lobbies = [
    aLobby(1, { settings, maxPlayers: 4 }),
    aLobby(2, { settings: { ...settings, long: 'x'.repeat(200), ['k'.repeat(90)]: 1 }, isPrivate: true }),
    aLobby(3, { settings: many, status: 'in_game' }),
    aLobby(4, { settings: { mode: 'é ü' }, maxPlayers: 1 }),
  ]
  const insert = db.prepare('insert into lobby values (?, 1, ?, ?, ?, ?, ?, ?, ?, null, ?)')
  for (const lobby of lobbies) {
    const { id, projectId, queueId, status, isPrivate, players, createdAt } = lobby
    insert.run(id, projectId, queueId, status, '', isPrivate ? 1 : 0, players.length, createdAt, JSON.stringify(lobby))
  }

  migrate(db, ':memory:')

  const rows = db
    .prepare<[], { labels: string; free_seats: number }>('select labels, free_seats from lobby order by id')
    .all()
  expect(rows.map(({ labels }) => JSON.parse(labels))).toEqual(lobbies.map(lobbyLabels))
  expect(rows.map(({ free_seats }) => free_seats)).toEqual(lobbies.map(openSeats))
  const kept = db.prepare<[string], string>('select label from lobby_label where lobby_id = ?').pluck()
  for (const lobby of lobbies) expect(kept.all(lobby.id).sort()).toEqual([...lobbyLabels(lobby)].sort())
})
