import { describe, expect, test } from 'vitest'
import { MIGRATIONS } from '../src/migrations/index'

/** How many migrations the release before this one knows (`RELEASE_BEFORE` in the acceptance tests). */
const RELEASED_MIGRATIONS = 19

/**
 * What takes something from code that does not know the step, or asks something of it: such code runs beside this one while nodes are updated. It
 * is expanded in one release (a new column, with a default, written by both), and contracted in one after which nobody uses the old.
 */
const TAKES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['drops', /\bdrop (?!index\b|not null\b)/],
  ['renames', /\brename\b/],
  ['makes another type', /\balter column \S+ (set data )?type\b/],
  ['wants a value where there may be none', /\bset not null\b/],
  [
    'adds a column that must be given',
    /\badd column (?!if not exists)(?=[^,;]*\bnot null\b)(?![^,;]*\b(default|generated)\b)[^,;]*/,
  ],
  [
    'forbids what was allowed',
    /\badd constraint\b|\badd (check|unique|primary key|foreign key|exclude)\b|\bcreate unique index\b/,
  ],
  ['does more on a write', /\bcreate (or replace )?(constraint )?(trigger|rule)\b/],
  ['empties', /\btruncate\b/],
]

/** What a migration takes; indices may go, for they change no answer, and new tables are nobody's yet. */
function takes(sql: string): string[] {
  const statements = sql
    .toLowerCase()
    .replace(/--[^\n]*/g, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
  const made = new Set(statements.flatMap((statement) => /^create table (\S+)/.exec(statement)?.[1] ?? []))
  const ofOthers = statements.filter((statement) => {
    const table = /^(?:alter table|create unique index \S+ on) (\S+)/.exec(statement)?.[1]
    return table === undefined || !made.has(table)
  })
  return TAKES.flatMap(([what, pattern]) => (ofOthers.some((statement) => pattern.test(statement)) ? [what] : []))
}

describe('what has come since the release before', () => {
  const since = MIGRATIONS.slice(RELEASED_MIGRATIONS)

  test('bears that release beside it', () => {
    expect(since.filter(({ bearsOlderCode }) => !bearsOlderCode)).toEqual([])
  })

  test('only expands', () => {
    expect(since.flatMap(({ sql }) => takes(sql))).toEqual([])
  })

  test('is counted from a release that there was', () => {
    expect(MIGRATIONS.length).toBeGreaterThanOrEqual(RELEASED_MIGRATIONS)
  })
})

describe('the rule', () => {
  test.each([
    ['alter table lobby drop column body', 'drops'],
    ['drop table lobby', 'drops'],
    ['alter table lobby alter column body drop default', 'drops'],
    ['alter table lobby rename column body to text', 'renames'],
    ['alter table lobby alter column version type int', 'makes another type'],
    ['alter table lobby alter column body set not null', 'wants a value where there may be none'],
    ['alter table lobby add column place text not null', 'adds a column that must be given'],
    [
      'alter table lobby add column a int default 1, add column place text not null',
      'adds a column that must be given',
    ],
    ['alter table lobby add constraint small check (version < 9)', 'forbids what was allowed'],
    ['create unique index lobby_by_host on lobby (host)', 'forbids what was allowed'],
    ['create trigger told after insert on lobby execute function tell()', 'does more on a write'],
  ])('finds %s', (sql, what) => {
    expect(takes(`create table other (id int); ${sql};`)).toEqual([what])
  })

  test.each([
    'create table seat (id text primary key, at bigint not null); create unique index seat_at on seat (at)',
    "alter table lobby add column place text not null default ''",
    'alter table lobby add column place bigint not null generated always as identity, add column other text',
    'alter table lobby alter column body drop not null',
    'create index lobby_by_place on lobby (place); drop index lobby_by_host',
    "update lobby set place = '' where place is null",
  ])('lets %s be', (sql) => {
    expect(takes(sql)).toEqual([])
  })

  test('would have found what the breaking migrations of before were', () => {
    // The ids of arrivals became their places, and two columns went.
    expect(takes(MIGRATIONS[14]?.sql ?? '')).toEqual(expect.arrayContaining(['drops', 'forbids what was allowed']))
  })
})
