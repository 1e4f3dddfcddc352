import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMatchyard } from '@matchyard/core'
import { StorageUnavailable } from '@matchyard/core/ports'
import { nodePlatform } from '@matchyard/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { journalStorage } from '../src/journal-storage'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-storage-'))
  path = join(folder, 'store.jsonl')
})
afterEach(() => rm(folder, { recursive: true }))

async function opened() {
  const storage = journalStorage({ path })
  await storage.migrate()
  return storage
}
const adding = (id: string) => ({
  id,
  at: 1,
  checks: [],
  writes: [],
  counters: [{ id: 'n', add: 1 }],
  events: [],
  jobs: [],
})

test('a line that a crash cut off is dropped, and what follows it is kept', async () => {
  const before = await opened()
  await before.commit(adding('one'))
  await before.close()
  await appendFile(path, '[["counter","n",99')
  const after = await opened()
  expect(await after.counters.read('n')).toBe(1)
  await after.commit(adding('two'))
  await after.close()
  const again = await opened()
  expect(await again.counters.read('n')).toBe(2)
  expect(await again.commits.find('one')).toBe(true)
  await again.close()
})

test.each(['{"journal":2}\n["something else"]\n', 'a letter'])(
  'a file that is not ours is refused and left as it is: %j',
  async (text) => {
    await writeFile(path, text)
    await expect(opened()).rejects.toThrow(StorageUnavailable)
    expect(await readFile(path, 'utf8')).toBe(text)
  },
)

test('the whole service runs on it, and finds its lobby again after a restart', async () => {
  const started = async () => {
    const platform = nodePlatform({ secret: 'not a secret, but long enough for a test' })
    const matchyard = createMatchyard({ storage: journalStorage({ path }), ...platform })
    await matchyard.start()
    return matchyard
  }
  const first = await started()
  const { id: projectId } = await first.projects.ensure({ name: 'My game' })
  await first.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
  const { id: lobbyId } = await first.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })
  await first.stop()
  const second = await started()
  const lobby = await second.lobbies.get({ projectId, lobbyId, backend: true })
  expect(lobby.players.map(({ playerId }) => playerId)).toEqual(['ann'])
  await second.stop()
})
