import { join } from 'node:path'
import type { Storage } from '@matchyard/core/ports'
import { SILENT_LOGGER } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { onTestFinished } from 'vitest'
import { type ServiceOptions, startService } from '../../src/service/service'
import { api } from './api'
import { temporaryFolder } from './folder'
import { SECRET } from './services'

/** Starts a service on a real socket in this process, without game servers. */
export async function startInProcess(options: Partial<ServiceOptions> = {}) {
  const storage: Storage = options.storage ?? memoryStorage()
  const service = await startService({
    dataDirectory: join(temporaryFolder(), 'data'),
    secret: SECRET,
    host: '127.0.0.1',
    port: 0,
    nodeId: 'test',
    installationId: 'test',
    orchestrator: 'none',
    metrics: 'open',
    logger: SILENT_LOGGER,
    ...options,
    storage,
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= service.stop()
    return stopped
  }
  onTestFinished(stop)
  return { ...service, storage, stop, call: api(service.baseUrl) }
}

export type InProcess = Awaited<ReturnType<typeof startInProcess>>
