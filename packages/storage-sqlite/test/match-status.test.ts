import { afterEach, expect, it } from 'vitest'
import { SqliteDatabase as Database } from '../src/library'
import { migrate } from '../src/migrate'
import { MIGRATIONS } from '../src/migrations/index'

/** How many migrations a file had seen before matches said how far they are. */
const BEFORE = 5
const APPLICATION_ID = 0x4d595244

const db = new Database(':memory:')
afterEach(() => db.close())

it('matches from before are given the status that their lobbies show, and nothing else of them changes', () => {
  for (const { sql } of MIGRATIONS.slice(0, BEFORE)) db.exec(sql)
  db.pragma(`application_id = ${APPLICATION_ID}`)
  db.pragma(`user_version = ${BEFORE}`)
  const lobby = db.prepare(`insert into lobby values (?, 1, 'p', 'q', ?, '', 0, 1, 1, null, '{}')`)
  for (const [id, status] of [
    ['l1', 'matched'],
    ['l2', 'starting'],
    ['l3', 'in_game'],
    ['l4', 'waiting'],
  ]) {
    lobby.run(id, status)
  }
  const match = db.prepare(`insert into match values (?, 3, 'p/q', 1, ?)`)
  const bodies = {
    m1: '{"id":"m1","lobbyIds":["l1"],"endedAt":null,"settings":{"z":1,"a":"é"}}',
    m2: '{"id":"m2","lobbyIds":["l3","l2"],"endedAt":null}',
    m3: '{"id":"m3","lobbyIds":["l3"],"endedAt":null}',
    m4: '{"id":"m4","lobbyIds":[],"endedAt":null}',
    m5: '{"id":"m5","lobbyIds":["l4"],"endedAt":5}',
  }
  for (const [id, body] of Object.entries(bodies)) match.run(id, body)

  migrate(db, ':memory:')

  const after = db.prepare<[], { id: string; body: string }>('select id, body from match order by id').all()
  expect(after.map(({ body }) => (JSON.parse(body) as { status: string }).status)).toEqual([
    'launching',
    'launching',
    'running',
    'running',
    'ended',
  ])
  for (const { id, body } of after) expect(body).toContain(bodies[id as keyof typeof bodies].slice(1))
})
