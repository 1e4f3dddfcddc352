import { type PlanInterval, TIERS } from '@matchyard/core'
import { addedUp, usageSumsOf } from '@matchyard/core/ports'
import fc from 'fast-check'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { connectionConfig, prepareSession } from '../src/connections/session'
import { migrate } from '../src/migrate'
import { MIGRATIONS } from '../src/migrations/index'
import { withDefaults } from '../src/options'
import { aStore } from './support/store'

const url = inject('databaseUrl')
/** How many migrations a database had seen before usage was added up. */
const BEFORE = 16
const DAY = 20_000 * 86_400_000

const near = fc.integer({ min: -2 * 86_400_000, max: 2 * 86_400_000 }).map((offset) => DAY + offset)
const anEnded = fc.record({
  project: fc.constantFrom('prj_a', 'prj_b'),
  account: fc.constantFrom('acc_a', 'acc_b'),
  tier: fc.constantFrom(...TIERS),
  runningAt: fc.option(fc.oneof(near, fc.constant(DAY))),
  stoppedAt: fc.option(fc.oneof(near, fc.constant(DAY + 1))),
})

test('servers that had ended are added up as they would be now, and one that older code ends is metered by itself', async () => {
  const { door, handle, schema } = aStore(url)
  const settings = withDefaults({ url, schema })
  const client = new Client(connectionConfig(settings))
  await client.connect()
  await prepareSession(client, settings)
  await migrate(client, settings, MIGRATIONS.slice(0, BEFORE)).finally(() => client.end())
  const histories: Record<string, PlanInterval[]> = {
    acc_a: [
      { plan: 'free', from: DAY - 1_000 },
      { plan: 'pro', from: DAY },
      { plan: 'payg', from: DAY + 7_500 },
    ],
    acc_b: [{ plan: 'payg', from: 0 }],
  }
  for (const [id, planHistory] of Object.entries(histories)) {
    const body = JSON.stringify({ id, name: '"planHistory":[{"from":1}] \0', planHistory })
    await door.query('insert into account (id, version, body) values ($1, 1, $2)', [id, body])
  }
  const servers = fc.sample(anEnded, { numRuns: 400, seed: 4 })
  for (const [index, { project, account, tier, runningAt, stoppedAt }] of servers.entries()) {
    const status = stoppedAt === null ? 'running' : 'stopped'
    const body = JSON.stringify({ id: `srv_${index}`, name: '"tier":"8x-32g"', tier, customData: { tier: '\0' } })
    await door.query(
      `insert into server (id, version, project_id, account_id, status, region, version_tag, running_at, stopped_at, created_at, body)
       values ($1, 1, $2, $3, $4, 'iad', 'arena', $5, $6, 1, $7)`,
      [`srv_${index}`, project, account, status, runningAt, stoppedAt, body],
    )
  }

  const storage = handle()
  await storage.migrate()

  const expected = addedUp(
    servers.flatMap(({ project: projectId, account: accountId, tier, runningAt: from, stoppedAt: to }) =>
      from === null || to === null
        ? []
        : usageSumsOf({ accountId, projectId, tier }, { from, to }, histories[accountId] ?? []),
    ),
  )
  const told = await Promise.all(['acc_a', 'acc_b'].map((id) => storage.servers.metered(id, 0, 2 * DAY)))
  expect(told.flatMap(({ sums }) => sums)).toEqual(expected)
  const running = servers.filter(({ runningAt, stoppedAt }) => runningAt !== null && stoppedAt === null)
  expect(told.flatMap((one) => one.servers)).toHaveLength(running.length)

  // Code of the release before knows neither the sums nor the column.
  const index = servers.findIndex((one) => running.includes(one) && one.account === 'acc_b')
  await door.query(`update server set status = 'stopped', stopped_at = $1 where id = $2`, [DAY, `srv_${index}`])
  const { servers: open } = await storage.servers.metered('acc_b', 0, 2 * DAY)
  expect(open.map(({ id }) => id)).toContain(`srv_${index}`)
})
