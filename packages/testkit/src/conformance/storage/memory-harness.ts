import type { Storage } from '@matchyard/core/ports'
import { copyMemoryData, emptyMemoryData, goBackTo, type MemoryData, memoryStorage } from '@matchyard/storage-memory'
import type { StorageBackDoor, StorageHarness } from './harness'

/** Returns a back door that reads the maps of the memory storage directly. */
const backDoorOf = (data: MemoryData): StorageBackDoor => ({
  entities: async (kind) =>
    [...(data.entities.get(kind) ?? [])].map(([id, { value, text }]) => ({
      id,
      version: value.version,
      value: JSON.parse(text),
    })),
  uniqueKeys: async () => [...data.uniqueKeys].map(([key, { kind, id }]) => ({ key, kind, id })),
  counters: async () => [...data.counters].map(([id, value]) => ({ id, value })),
  events: async (lobbyId) => (data.events.get(lobbyId) ?? []).map(({ version, name }) => ({ version, name })),
  jobs: async () =>
    [...data.jobs.values()].map(({ id, kind, runAt, tenant, payload }) => ({
      id,
      kind,
      runAt,
      tenant,
      payload: JSON.parse(payload),
    })),
})

/**
 * Returns a harness for the memory storage, which is the reference adapter. Two handles share the data as two nodes
 * share a database. `wrap` may return a wrapper of the adapter; the suite then tests the wrapper.
 */
export const memoryHarness = (wrap: (storage: Storage) => Storage = (storage) => storage): StorageHarness => ({
  async open() {
    const data = emptyMemoryData()
    const handles: Storage[] = []
    const open = () => {
      const handle = wrap(memoryStorage({ data }))
      handles.push(handle)
      return handle
    }
    const dispose = async () => {
      await Promise.all(handles.splice(0).map((handle) => handle.close()))
    }
    const storage = open()
    return {
      storage,
      backDoor: backDoorOf(data),
      another: async () => open(),
      async reopen() {
        await dispose()
        return open()
      },
      async holdOpen(commit, during) {
        await during()
        return storage.commit(commit)
      },
      async goBack(during) {
        const copy = copyMemoryData(data)
        await during()
        goBackTo(data, copy)
        return storage
      },
      dispose,
    }
  },
})
