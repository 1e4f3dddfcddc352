import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readQueueFile, refusedIn } from '../src/operator/queue-file'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { startDev } from './harness/services'

const DUEL = {
  queue_id: 'duel',
  name: 'Duel',
  matchmaking: {
    teams: 2,
    players_per_team: 1,
    rules: [{ type: 'difference', field: 'mmr', max_difference: 75 }],
  },
}

test('a queue is put from its file: made, then changed by what the file says, and refused at the field that is wrong', async () => {
  const cwd = temporaryFolder()
  const { call, files, url } = await startDev(cwd)
  const key = files.credentials.server_key
  const put = (queue: unknown) => {
    writeFileSync(join(cwd, 'queue.json'), JSON.stringify(queue))
    return run(['queues', 'put', 'queue.json'], { cwd, env: { MATCHYARD_URL: url, MATCHYARD_SERVER_KEY: key } })
  }
  const read = async () => (await call('GET /v1/queues/duel', { key })).body

  expect(await put(DUEL)).toEqual({ code: 0, signal: null, stdout: 'duel is made\n', stderr: '' })
  expect(await read()).toMatchObject(DUEL)

  expect((await put(DUEL)).stdout).toBe('duel already matches the file\n')

  const { name: _, ...wider } = structuredClone(DUEL)
  Object.assign(wider.matchmaking.rules[0] ?? {}, { max_difference: 200 })
  expect((await put({ ...wider, timeout: 90 })).stdout).toMatch(
    /^duel is changed, version 2\n(?=.*^ {2}matchmaking\.rules\S* 75 → 200$)(?=.*^ {2}timeout: \d+ → 90$)/ms,
  )
  // The file did not contain the name.
  expect(await read()).toMatchObject({ name: 'Duel', timeout: 90 })

  const wrong = { ...DUEL, timeuot: 1, matchmaking: { ...DUEL.matchmaking, teams: 0 } }
  const refused = await put(wrong)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^matchyard: queue\.json: matchmaking\.teams must be /m)
  expect(refused.stderr).toMatch(/^matchyard: queue\.json: timeuot .*timeout/m)
  expect(await read()).toMatchObject({ timeout: 90, matchmaking: { teams: 2 } })
})

test('a file that is no queue is told of in a line that helps', () => {
  const file = join(temporaryFolder(), 'queue.json')
  expect(() => readQueueFile(file)).toThrow(`${file} cannot be read: name a JSON file`)
  for (const content of ['[]', '{}', '{ "queue_id": "" }', 'null']) {
    writeFileSync(file, content)
    expect(() => readQueueFile(file)).toThrow(`${file}: queue_id must be there`)
  }
  writeFileSync(file, '{ "queue_id": "duel", }')
  expect(() => readQueueFile(file)).toThrow(`${file} is not JSON: `)
  const bug = new TypeError('x is not a function')
  expect(refusedIn(file, bug)).toBe(bug)
})
