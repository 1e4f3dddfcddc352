import assert from 'node:assert/strict'
import { type BuildStore, KEPT_LOGS_PAGE, type KeptLogs } from '@matchyard/core/ports'
import type { BuildStoreCase } from './harness'

function logsOf({ logs }: BuildStore): KeptLogs {
  assert.ok(logs !== null, 'the store keeps no logs')
  return logs
}

/** Returns all entries, page by page. */
async function all(logs: KeptLogs) {
  const entries = [...(await logs.list())]
  for (;;) {
    const page = await logs.list(entries.at(-1)?.name)
    if (page.length === 0) return entries
    assert.ok(page.length <= KEPT_LOGS_PAGE)
    entries.push(...page)
  }
}

export const logCases: readonly BuildStoreCase[] = [
  {
    name: 'a kept log is there for every node as it was put last, until it is removed',
    async run(harness) {
      const [here, there] = [logsOf(await harness.node()), logsOf(await harness.node())]
      assert.equal(await there.get('prj_1/0001-srv_1'), undefined)
      await here.put('prj_1/0001-srv_1', 'the first words')
      await here.put('prj_1/0001-srv_1', '{"lines":["Grüße"]}')
      assert.equal(await there.get('prj_1/0001-srv_1'), '{"lines":["Grüße"]}')
      await there.remove('prj_1/0001-srv_1')
      await there.remove('prj_1/0001-srv_1')
      assert.equal(await here.get('prj_1/0001-srv_1'), undefined)
      assert.deepEqual(await here.list(), [])
    },
  },
  {
    name: 'kept logs are listed with their sizes, in the order of their names, after a name',
    async run(harness) {
      const logs = logsOf(await harness.node())
      assert.deepEqual(await logs.list(), [])
      const names = ['prj-1/0003-c', 'prj_1/0001-a', 'prj_1/0002-b', 'prj_10/0001-d', 'prj_2/0001-e']
      for (const [index, name] of names.toReversed().entries()) await logs.put(name, 'ü'.repeat(index + 1))
      const entries = await all(logs)
      assert.deepEqual(
        entries.map(({ name }) => name),
        [...names].sort(),
      )
      assert.equal(entries.find(({ name }) => name === 'prj_2/0001-e')?.bytes, 2)
      const after = (await logs.list('prj_1/0001-a')).map(({ name }) => name)
      assert.deepEqual(after, [...names].sort().slice([...names].sort().indexOf('prj_1/0001-a') + 1))
    },
  },
  {
    name: 'a name of a log that is no name of two parts is refused',
    async run(harness) {
      const logs = logsOf(await harness.node())
      for (const name of ['../x', 'a/../b', 'a', '/a', 'a/', 'a/b/c', 'a/b.json', '']) {
        await assert.rejects(async () => logs.put(name, 'x'), TypeError)
        await assert.rejects(async () => logs.get(name), TypeError)
      }
      assert.deepEqual(await logs.list(), [])
    },
  },
]
