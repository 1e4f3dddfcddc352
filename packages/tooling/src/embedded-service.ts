import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SILENT_LOGGER } from '@matchyard/core/ports'
import { type Service, type ServiceOptions, startService } from '@matchyard/server'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { Client } from './client'

export interface EmbeddedService {
  readonly service: Service
  readonly client: Client
  readonly projectId: string
  readonly clientKey: string
  readonly serverKey: string
  stop(): Promise<void>
}

/** Starts the whole service in this process, on a SQLite file in a temporary folder and by default a free port. */
export async function embeddedService(more: Partial<ServiceOptions> = {}): Promise<EmbeddedService> {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-'))
  const service = await startService({
    storage: sqliteStorage({ path: join(directory, 'matchyard.db') }),
    dataDirectory: directory,
    secret: 'a secret that is long enough for a test',
    host: '127.0.0.1',
    port: 0,
    nodeId: 'test',
    installationId: `test-${process.pid}-${directory.slice(-6)}`,
    logger: SILENT_LOGGER,
    ...more,
  })
  const project = await service.matchyard.projects.ensure({ name: 'Acceptance' })
  const owner = { accountId: project.accountId, projectId: project.id }
  const clientKey = (await service.matchyard.keys.mint({ ...owner, type: 'client' })).value ?? ''
  const serverKey = (await service.matchyard.keys.mint({ ...owner, type: 'server' })).value ?? ''
  const client = new Client(service.baseUrl, clientKey)
  return {
    service,
    client,
    projectId: project.id,
    clientKey,
    serverKey,
    async stop() {
      client.close()
      await service.stop()
      await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    },
  }
}
