import { type PlanInterval, TIERS } from '@matchyard/core'
import { addedUp, usageSumsOf } from '@matchyard/core/ports'
import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { SqliteDatabase as Database } from '../src/library'
import { migrate } from '../src/migrate'
import { MIGRATIONS } from '../src/migrations/index'

/** How many migrations a file had seen before usage was added up. */
const BEFORE = 18
const APPLICATION_ID = 0x4d595244
const DAY = 20_000 * 86_400_000

const db = new Database(':memory:')
afterEach(() => db.close())

const near = fc.integer({ min: -2 * 86_400_000, max: 2 * 86_400_000 }).map((offset) => DAY + offset)
const anEnded = fc.record({
  project: fc.constantFrom('prj_a', 'prj_b'),
  account: fc.constantFrom('acc_a', 'acc_b'),
  tier: fc.constantFrom(...TIERS),
  runningAt: fc.option(fc.oneof(near, fc.constant(DAY))),
  stoppedAt: fc.option(fc.oneof(near, fc.constant(DAY + 1))),
})

it('servers that had ended are added up as they would be now, and are metered by that alone', () => {
  for (const { sql } of MIGRATIONS.slice(0, BEFORE)) db.exec(sql)
  db.pragma(`application_id = ${APPLICATION_ID}`)
  db.pragma(`user_version = ${BEFORE}`)
  const histories: Record<string, PlanInterval[]> = {
    acc_a: [
      { plan: 'free', from: DAY - 1_000 },
      { plan: 'pro', from: DAY },
      { plan: 'payg', from: DAY + 7_500 },
    ],
    acc_b: [{ plan: 'payg', from: 0 }],
  }
  for (const [id, planHistory] of Object.entries(histories)) {
    const body = JSON.stringify({ id, name: '"planHistory":[{"from":1}]', planHistory })
    db.prepare('insert into account (id, version, body) values (?, 1, ?)').run(id, body)
  }
  const servers = fc.sample(anEnded, { numRuns: 400, seed: 4 })
  const insert = db.prepare(
    `insert into server (id, version, project_id, account_id, status, region, version_tag, running_at, stopped_at, created_at, body)
     values (?, 1, ?, ?, ?, 'iad', 'arena', ?, ?, 1, ?)`,
  )
  for (const [index, { project, account, tier, runningAt, stoppedAt }] of servers.entries()) {
    const status = stoppedAt === null ? 'running' : 'stopped'
    const body = JSON.stringify({ name: '"tier":"8x-32g"', tier, customData: { tier: '\0' } })
    insert.run(`srv_${index}`, project, account, status, runningAt, stoppedAt, body)
  }

  migrate(db, ':memory:')

  const expected = addedUp(
    servers.flatMap(({ project: projectId, account: accountId, tier, runningAt: from, stoppedAt: to }) =>
      from === null || to === null
        ? []
        : usageSumsOf({ accountId, projectId, tier }, { from, to }, histories[accountId] ?? []),
    ),
  )
  const told = db
    .prepare(
      `select account_id as accountId, project_id as projectId, tier, begins_at as beginsAt, seconds from usage_sum
       order by account_id, begins_at, project_id, tier`,
    )
    .all()
  expect(told).toEqual(expected)
  const unsummed = db.prepare<[], number>('select count(*) from server where summed = 0').pluck().get()
  expect(unsummed).toBe(servers.filter(({ stoppedAt }) => stoppedAt === null).length)
})
