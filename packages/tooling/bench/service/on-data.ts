import { join } from 'node:path'
import { createMatchyard } from '@matchyard/core'
import { nodePlatform } from '@matchyard/node'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import type { Embedded } from './embedded'
import { startOurs } from './served'

/** Creates a data folder with `dev`, and fills it with `fill` while no service runs on it. */
export async function dataOf(fill: (embedded: Embedded) => Promise<void> = async () => {}): Promise<string> {
  const { world } = await startOurs()
  await world.end('SIGTERM')
  const storage = sqliteStorage({ path: join(world.directory, 'matchyard.db') })
  await storage.migrate()
  const matchyard = createMatchyard({
    storage,
    ...nodePlatform({ secret: 'a secret of at least 32 characters for a bench' }),
  })
  await matchyard.open()
  const { project_id: projectId } = world.credentials as unknown as { project_id: string }
  await fill({ matchyard, projectId })
  await storage.close()
  return world.directory
}
