import type { Statement } from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SqliteDatabase } from '../src/library'
import { migrate } from '../src/migrations/migrate'
import { prepareStatements, type Statements } from '../src/statements/index'

/** Yields every prepared statement in an object, with its path. */
function* statementsIn(value: object, path = ''): Generator<[string, Statement]> {
  for (const [name, inner] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`
    if ('source' in inner) yield [at, inner]
    else yield* statementsIn(inner, at)
  }
}

describe('query plans', () => {
  const db = new SqliteDatabase(':memory:')
  let statements: Statements
  beforeAll(() => {
    migrate(db, ':memory:')
    statements = prepareStatements(db)
  })
  afterAll(() => db.close())

  const plan = (sql: string): string[] =>
    db
      .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => null), {})
      .map(({ detail }) => detail)

  const planOf = (sql: string): string[] => {
    const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [String(name), null])
    if (names.length === 0) return plan(sql)
    return db
      .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
      .all(Object.fromEntries(names))
      .map(({ detail }) => detail)
  }

  test('the browser walks an index in the order of each sort, without a row or a sort before the page', () => {
    const browsing = Object.values({ ...statements.lobbies.browse }).concat(
      Object.values(statements.lobbies.browseStatus),
    )
    expect(browsing).toHaveLength(6)
    for (const { source } of browsing) {
      const details = planOf(source)
      const searches = details.filter((detail) => detail.includes('lobby_by_'))
      expect([1, 5]).toContain(searches.length)
      for (const search of searches) {
        expect(search).toMatch(/^SEARCH lobby USING COVERING INDEX lobby_by_\w+ \(project_id=\? AND status=\?\)/)
      }
      // The only sort comes after the page is cut, so it sorts at most a hundred rows.
      const inner = details.slice(
        0,
        details.findIndex((detail) => detail.startsWith('SCAN page')),
      )
      expect(inner.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
    }
  })

  test('lists that go on after a place begin there in an index, and sort nothing before the page is cut', () => {
    const { walk, walkStatus } = statements.lobbies
    const { list, listOfStatus, listOfQueue } = statements.matches
    for (const { source } of [walk, walkStatus, list, listOfStatus]) {
      const details = planOf(source)
      const searches = details.filter((detail) => /_by_created|_listed/.test(detail))
      expect([1, 4, 5]).toContain(searches.length)
      for (const search of searches) {
        expect(search).toMatch(
          /^SEARCH \w+ USING COVERING INDEX \w+ \(project_id=\? AND \w+=\?( AND created_at>\?)? AND \(created_at,id\)<\(\?,\?\)\)/,
        )
      }
      const inner = details.slice(
        0,
        details.findIndex((detail) => detail.startsWith('SCAN page')),
      )
      expect(inner.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
    }
    const ofQueue = planOf(listOfQueue.source)
    expect(ofQueue).toEqual([
      expect.stringMatching(
        /^SEARCH match USING INDEX match_by_queue \(queue_key=\? AND created_at>\? AND \(created_at,id\)</,
      ),
    ])
    // Each outcome of a build is a search of its own in the index, which ends at the page.
    expect(planOf(statements.matches.listOfBuild.source)).toContainEqual(
      expect.stringMatching(
        /^SEARCH match USING INDEX match_by_outcome \(outcome=\? AND created_at>\? AND \(created_at,id\)</,
      ),
    )
    expect(planOf(statements.servers.lastEnded.source)).toEqual([
      'SEARCH server USING INDEX server_ended_of_build (build_id=? AND stopped_at>?)',
    ])
    // Servers by the cause of their end come in the order of an index, and are counted in it.
    const { listOfEnd, listOfEndPlace, totalOfEnd, totalOfEndPlace, liveOfBuildAfter } = statements.servers
    expect([listOfEnd, listOfEndPlace, liveOfBuildAfter].map(({ source }) => planOf(source))).toEqual([
      ['SEARCH server USING INDEX server_by_end (project_id=? AND end_reason=?)'],
      ['SEARCH server USING INDEX server_by_end_place (end_place=?)'],
      ['SEARCH server USING INDEX server_live_of_build (build_id=? AND id>?)'],
    ])
    expect([totalOfEnd, totalOfEndPlace].map(({ source }) => planOf(source))).toEqual([
      ['SEARCH server USING COVERING INDEX server_by_end (project_id=? AND end_reason=?)'],
      ['SEARCH server USING COVERING INDEX server_by_end_place (end_place=?)'],
    ])
  })

  test('the fullest open lobby is the first of an index, and one that fits a filter is found by its labels', () => {
    const { open, openFitting, openLabelled, labelled, having, body } = statements.lobbies
    const byFullest = /^SEARCH lobby USING COVERING INDEX lobby_open \(project_id=\? AND queue_id=\? AND .*free_seats/
    expect(planOf(open.source)).toEqual([expect.stringMatching(byFullest)])
    const near = planOf(openFitting.source)
    expect(near).toContainEqual(expect.stringMatching(byFullest))
    // The page is sorted after the window of examined rows is cut.
    const cut = near.findIndex((detail) => detail.startsWith('SCAN near'))
    expect(near.slice(0, cut).filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
    for (const { source } of [openLabelled, ...Object.values(labelled)]) {
      const details = planOf(source)
      expect(details).toContainEqual('SEARCH lobby_label USING PRIMARY KEY (label=?)')
      // The examined rows come in the order of the key. Each is looked up once and checked for its other labels.
      expect(details.findIndex((detail) => detail.startsWith('SEARCH lobby_label'))).toBeLessThan(
        details.findIndex((detail) => detail.startsWith('SEARCH lobby USING INDEX sqlite_autoindex_lobby_1')),
      )
      expect(details).toContainEqual(
        expect.stringMatching(/^SEARCH other USING PRIMARY KEY \(label=\? AND lobby_id=\?\)/),
      )
      expect(details.filter((detail) => detail.includes('TEMP B-TREE'))).toHaveLength(1)
    }
    expect(planOf(having.source)).toContainEqual('SEARCH lobby_label USING PRIMARY KEY (label=?)')
    expect(planOf(body.source)).toEqual(['SEARCH lobby USING INTEGER PRIMARY KEY (rowid=?)'])
  })

  test('a claim goes by an index past timers that are not due and past any backlog, and never sorts', () => {
    const { oldest, nextTenant, tenantAfter, oldestOfTenant, nextRunAt, kindAfter } = statements.jobs
    expect(planOf(oldest.source)).toEqual(['SEARCH job USING INDEX job_free_by_age (kind=? AND run_at<?)'])
    for (const { source } of [nextTenant, tenantAfter]) {
      expect(planOf(source)).toEqual([
        expect.stringMatching(/^SEARCH job USING INDEX job_free_by_tenant \(kind=\? AND tenant>\?\)/),
      ])
    }
    expect(planOf(oldestOfTenant.source)).toEqual([
      expect.stringMatching(/INDEX job_free_by_tenant \(kind=\? AND tenant=\? AND run_at<\?\)/),
    ])
    expect(planOf(nextRunAt.source)).toEqual([expect.stringMatching(/INDEX job_free_by_age \(kind=\? AND run_at>\?\)/)])
    expect(planOf(kindAfter.source)).toEqual([expect.stringMatching(/INDEX job_free_by_\w+ \(kind>\?\)/)])
  })

  test('the records of a part are read from an index alone, the newest first', () => {
    const { ofOwner, ofGroup } = statements.records
    expect(planOf(ofOwner.source)).toEqual([
      'SEARCH idempotency USING COVERING INDEX idempotency_by_owner (owner_part=?)',
    ])
    expect(planOf(ofGroup.source)).toEqual([
      'SEARCH idempotency USING COVERING INDEX idempotency_by_group (group_part=?)',
    ])
  })

  // Scans and sorts that only ever read few rows: a table with one row; a table or partial index with one row per
  // counted thing, machine, live server or queue with warm servers; the rows that a search has left; the ranges of a leaderboard; the slots of a chart.
  const SMALL =
    /SCAN (store|ping|machine|slots|lobby_count|queue_waiting|server_count|page|near|lead|found|asked VIRTUAL|range VIRTUAL|newest|\(subquery)|SCAN (server USING INDEX server_live|queue USING INDEX queue_warm)/

  // Statements for operators, which read all rows in the order of their ids. No call of the service uses them.
  const OPERATORS = ['lists.accounts', 'lists.accountTotal']

  test('no statement reads a whole table', () => {
    for (const [name, { source }] of statementsIn(statements)) {
      if (OPERATORS.includes(name)) continue
      const scans = planOf(source).filter((detail) => /^SCAN (?!CONSTANT)/.test(detail) && !SMALL.test(detail))
      // The partial index of long streams contains only the rows that are listed.
      const expected = name === 'logs.longLogs' ? [expect.stringContaining('stream_long')] : []
      expect(scans, name).toEqual(expected)
    }
  })
})
