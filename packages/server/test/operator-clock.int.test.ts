import { join } from 'node:path'
import { createMatchyard } from '@matchyard/core'
import { DAY_MS } from '@matchyard/core/domain'
import { nodePlatform } from '@matchyard/node'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { expect, test } from 'vitest'
import { onStorage } from '../src/operator/on-storage'
import { temporaryFolder } from './harness/folder'
import { goodSecret } from './harness/services'

test('an operator’s command with a wrong clock writes nothing; what only reads goes on', async () => {
  const path = join(temporaryFolder(), 'matchyard.db')
  const databaseUrl = `sqlite:${path}`
  const ahead = createMatchyard({
    ...nodePlatform({ secret: goodSecret(), now: () => Date.now() + 40 * DAY_MS }),
    storage: sqliteStorage({ path }),
  })
  await ahead.open()
  const ann = { email: 'ann@example.com', password: 'correct horse', name: 'Ann' }
  const { id: accountId } = await ahead.accounts.create(ann)
  await ahead.stop()

  const disable = onStorage({ databaseUrl }, async ({ matchyard }) => matchyard.accounts.disable({ accountId }))
  await expect(disable).rejects.toThrow(/the newest record is of .* matchyard clock --accept/)
  const seen: unknown[] = []
  await onStorage({ databaseUrl, readsOnly: true }, async ({ matchyard }) => {
    seen.push(...(await matchyard.accounts.list()).data)
  })
  expect(seen).toMatchObject([{ id: accountId, isDisabled: false }])
})
