import type { Lobby, Match } from '@matchyard/core'
import { lobbyLabels, openSeats } from '@matchyard/core/ports'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { jsonList } from '../src/column-text'
import { connectionConfig, prepareSession } from '../src/connections/session'
import { migrate } from '../src/migrate'
import { MIGRATIONS } from '../src/migrations/index'
import { withDefaults } from '../src/options'
import { lobbyStatements } from '../src/statements/lobbies'
import { aLobby, change } from './support/changes'
import { aStore } from './support/store'

const url = inject('databaseUrl')
/** How many migrations a database had seen before lobbies had labels. */
const BEFORE = 6

test('lobbies from before are found by the very labels that they would be given now', async () => {
  const { door, handle, schema } = aStore(url)
  const settings = withDefaults({ url, schema })
  const client = new Client(connectionConfig(settings))
  await client.connect()
  await prepareSession(client, settings)
  await migrate(client, settings, MIGRATIONS.slice(0, BEFORE)).finally(() => client.end())
  const own = { mode: 'du"el\n', level: 5, half: 1.5, on: true, off: false, none: null, deep: { a: 1 }, list: [1] }
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`key${n}`, n]))
  const lobbies: Lobby[] = [
    { ...aLobby(), settings: own, maxPlayers: 4 },
    { ...aLobby(), settings: { ...own, long: 'x'.repeat(200), ['k'.repeat(90)]: 1 }, isPrivate: true },
    { ...aLobby(), settings: many, status: 'in_game' },
    { ...aLobby(), settings: { mode: 'é ü' }, maxPlayers: 1 },
  ]
  // What the database cannot read out of JSON is read here.
  lobbies.push({ ...aLobby(), settings: { nul: '\0' }, maxPlayers: 3 })
  for (const lobby of lobbies) {
    const { id, projectId, queueId, status, isPrivate, players, createdAt } = lobby
    const values = [id, projectId, queueId, status, isPrivate ? 1 : 0, players.length, createdAt, JSON.stringify(lobby)]
    await door.query(`insert into lobby values ($1, 1, $2, $3, $4, '', $5, $6, $7, $8)`, values)
  }

  await handle().migrate()

  const rows = await door.query<{ id: string; labels: string; free_seats: string }>(
    'select id, labels, free_seats from lobby',
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const lobby of lobbies) {
    expect(byId.get(lobby.id)?.labels).toBe(jsonList(lobbyLabels(lobby)))
    expect(Number(byId.get(lobby.id)?.free_seats)).toBe(openSeats(lobby))
  }
})

test('a match from before whose texts hold U+0000 is found for its players, also when it is over', async () => {
  const { door, migrated } = aStore(url)
  const storage = await migrated()
  const person = { playerId: 'ann', lobbyId: 'lob_a', role: null, state: { nul: '\0' }, leftAt: null }
  const over: Match = {
    id: 'mat_a',
    version: 1,
    status: 'ended',
    projectId: 'prj_a',
    accountId: 'acc_a',
    queueId: 'ranked',
    region: 'iad',
    gameVersion: null,
    lobbyIds: [],
    teams: [{ name: 'team_1', players: [person] }],
    settings: {},
    serverId: null,
    waits: [],
    createdAt: 1,
    endedAt: 2,
  }
  await storage.commit(change({ writes: [{ kind: 'match', id: over.id, expected: 'absent', put: over }] }))
  await door.query(`update match set labels = ''`)
  const of = () => storage.matches.ofPlayer('prj_a', 'ann', 10)
  expect(await of()).toEqual([])
  await storage.migrate()
  expect(await of()).toEqual([over])
})

test('the fullest open lobby is the first of an index, and one that fits a filter is found by its labels', async () => {
  const { door, migrated } = aStore(url)
  await migrated()
  // Enough of them that a plan matters, and none of them is found by reading them all.
  await door.query(`insert into lobby (id, version, project_id, queue_id, status, region, is_private, player_count,
      created_at, body, free_seats, labels)
    select 'lob_' || n, 1, 'prj_a', 'open', 'waiting', '', 0, 1, n, '{}', 1 + n % 9, 'o["x",' || n || ']'
    from generate_series(1, 5000) as n`)
  await door.query('analyze lobby')
  const planOf = async ({ name, text }: { name: string; text: string }, values: readonly unknown[]) => {
    await door.query(`prepare ${name} as ${text}`)
    await door.query('set plan_cache_mode = force_generic_plan')
    const literals = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(', ')
    const rows = await door.query<Record<string, string>>(`explain execute ${name}(${literals})`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const open = await planOf(lobbyStatements.open, ['prj_a', 'open', 4, 0, 0, ''])
  const fitting = await planOf(lobbyStatements.openFitting, ['prj_a', 'open', 200, 0, 0, '', 'o["x",7]', 4])
  for (const plan of [open, fitting]) expect(plan).toContain('Index Scan using lobby_open')
  expect(open).not.toContain('Sort')
  const labelled = [
    await planOf(lobbyStatements.openLabelled, ['o["x",7]', 4, 0, 0, '']),
    await planOf(lobbyStatements.browseLabelled.created_at_desc, [
      'o["x",7]',
      null,
      null,
      1,
      10,
      0,
      null,
      'prj_a',
      1_000_000,
    ]),
  ]
  for (const plan of labelled) {
    expect(plan).toContain('Bitmap Index Scan on lobby_by_label')
    expect(plan).not.toContain('Seq Scan')
  }
})
