import { expect, inject, test } from 'vitest'
import { lobbyStatements } from '../src/statements/lobbies'
import { aStore } from './support/store'

const url = inject('databaseUrl')

test('the fullest open lobby is the first of an index, and one that fits a filter is found by its labels', async () => {
  const { door, migrated } = aStore(url)
  await migrated()
  // The table has so many rows that a query which reads all of them would be noticed.
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
