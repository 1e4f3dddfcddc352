import { randomBytes } from 'node:crypto'
import { type ApiKey, type ApiKeyType, createMatchyard, type MintedKey } from '@matchyard/core'
import { type Storage, uniqueKey } from '@matchyard/core/ports'
import { nodePlatform } from '@matchyard/node'
import { ConfigurationError } from '../config/configuration-error'
import { readStorageConfig } from '../config/serve-config'
import { storageOf } from '../service/storage-url'

const MAX_KEYS = 10_000

export interface KeyStore {
  list(of: { project?: string | undefined; email?: string | undefined }): Promise<readonly ApiKey[]>
  mint(input: { project: string; type: ApiKeyType; name?: string | undefined }): Promise<MintedKey>
  revoke(input: { project: string; key: string }): Promise<void>
}

/** The keys in the storage of DATABASE_URL, whether or not a service runs on it. */
export async function keyStore(work: (store: KeyStore) => Promise<void>): Promise<void> {
  const { databaseUrl } = readStorageConfig(process.env)
  const storage = await storageOf(databaseUrl, { beside: true })
  try {
    await work(await storeOn(storage))
  } finally {
    await storage.close()
  }
}

async function storeOn(storage: Storage): Promise<KeyStore> {
  // Keys are hashed without the installation's secret, so a command that only handles keys need not know it.
  const platform = nodePlatform({ secret: randomBytes(32).toString('hex') })
  platform.clock.advanceTo(await storage.newestInstant())
  const { keys } = createMatchyard({ storage, ...platform })

  const projectOf = async (id: string) => {
    const found = await storage.get('project', id)
    if (found === undefined || found.deletedAt !== null) {
      throw new ConfigurationError(`there is no project ${JSON.stringify(id)} in this storage`)
    }
    return { projectId: found.id, accountId: found.accountId }
  }
  const projectsOf = async (email: string) => {
    const account = await storage.find('account', uniqueKey.email(email.toLowerCase()))
    if (account === undefined)
      throw new ConfigurationError(`there is no account ${JSON.stringify(email)} in this storage`)
    const { data } = await storage.projects.list(account.id, { limit: MAX_KEYS, offset: 0 })
    return data.map(({ id }) => id)
  }

  return {
    async list({ project, email }) {
      if ((project === undefined) === (email === undefined)) {
        throw new ConfigurationError('name the project with --project, or the account with --email')
      }
      const ids = project === undefined ? await projectsOf(email ?? '') : [(await projectOf(project)).projectId]
      const pages = await Promise.all(ids.map((id) => storage.apiKeys.list(id, { limit: MAX_KEYS, offset: 0 })))
      return pages.flatMap((page) => page.data)
    },
    mint: async ({ project, type, name }) => keys.mint({ ...(await projectOf(project)), type, name }),
    revoke: async ({ project, key }) => keys.revoke({ ...(await projectOf(project)), keyId: key }),
  }
}
