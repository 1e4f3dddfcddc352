import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entities, EntityKind, JobSpec, StreamEvent } from '@matchyard/core/ports'
import type { StorageBackDoor, StorageHarness } from '@matchyard/testkit/storage'
import { journalStorage } from '../src/journal-storage'

/** Reads the file for each question: the lines in order; the last line about a row counts. */
function backDoorOf(path: string): StorageBackDoor {
  const rows = async <T>(wanted: string): Promise<[key: string, row: T][]> => {
    const [, ...lines] = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
    const found = new Map<string, T>()
    for (const [table, key, ...row] of lines.flatMap((line) => JSON.parse(line))) {
      if (table !== wanted) continue
      if (key === undefined) found.clear()
      else if (row.length === 0) found.delete(key)
      else found.set(key, row[0])
    }
    return [...found]
  }
  return {
    entities: async <K extends EntityKind>(kind: K) =>
      (await rows<Entities[K]>(kind)).map(([id, value]) => ({ id, version: value.version, value })),
    uniqueKeys: async () =>
      (await rows<[kind: string, id: string]>('unique-key')).map(([key, [kind, id]]) => ({ key, kind, id })),
    counters: async () => (await rows<number>('counter')).map(([id, value]) => ({ id, value })),
    events: async (lobbyId) =>
      (await rows<StreamEvent>(`event ${lobbyId}`)).map(([, { version, name }]) => ({ version, name })),
    jobs: async () =>
      (await rows<JobSpec>('job')).map(([, { id, kind, runAt, tenant, payload }]) => ({
        id,
        kind,
        runAt,
        tenant,
        payload,
      })),
  }
}

/** One file and one handle per case, because the adapter serves one process. */
export const journalHarness: StorageHarness = {
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'journal-storage-'))
    const path = join(folder, 'store.jsonl')
    const open = async () => {
      const storage = journalStorage({ path })
      await storage.migrate()
      return storage
    }
    let current = await open()
    const first = current
    return {
      storage: first,
      backDoor: backDoorOf(path),
      another: async () => current,
      async reopen() {
        await current.close()
        current = await open()
        return current
      },
      async holdOpen(commit, during) {
        await during()
        return first.commit(commit)
      },
      async goBack(during) {
        const copy = await readFile(path)
        await during()
        await current.close()
        await writeFile(path, copy)
        current = await open()
        return current
      },
      async dispose() {
        await current.close()
        await rm(folder, { recursive: true })
      },
    }
  },
}
