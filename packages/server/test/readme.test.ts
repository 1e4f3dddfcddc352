import { readFileSync } from 'node:fs'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { VARIABLES } from '../src/config/environment'
import { createMetrics } from '../src/metrics/metrics'
import { workerMetrics } from '../src/metrics/worker-metrics'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the readme has a row for every variable of the environment, and for none that is not read', () => {
  const rows = [...readme.matchAll(/^\| `([A-Z0-9_]+)` +\|/gm)].map((match) => match[1])
  expect(rows.sort()).toEqual([...VARIABLES].sort())
})

test('the readme names every metric of the service, and none that it has not', async () => {
  const ofParent = new Registry()
  workerMetrics(ofParent, { up: () => 0, droppedLogLines: () => 0 })
  const page = (await createMetrics().page('open').render()) + (await ofParent.metrics())
  const measured = [...new Set([...page.matchAll(/^# TYPE (matchyard_\w+)/gm)].map((match) => match[1] ?? ''))]
  const named = [...readme.matchAll(/`(matchyard_\w+)`/g)].map((match) => match[1] ?? '')
  expect(named.sort()).toEqual(measured.sort())
})
