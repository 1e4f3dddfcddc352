import type { ApiKey, ApiKeyType, MintedKey } from '@matchyard/core'
import { ConfigurationError } from '../config/configuration-error'
import { readStorageConfig } from '../config/serve-config'
import { accountIdOf, type OperatorsDesk, onStorage } from './on-storage'

const MAX_KEYS = 10_000

export interface KeyStore {
  list(of: { project?: string | undefined; email?: string | undefined }): Promise<readonly ApiKey[]>
  mint(input: { project: string; type: ApiKeyType; name?: string | undefined }): Promise<MintedKey>
  revoke(input: { project: string; key: string }): Promise<void>
}

/** Runs work on the API keys in the database of DATABASE_URL. A service may use the database at the same time. */
export const keyStore = (work: (store: KeyStore) => Promise<void>, how: { readsOnly?: boolean } = {}): Promise<void> =>
  onStorage({ ...readStorageConfig(process.env), ...how }, (desk) => work(storeOn(desk)))

function storeOn({ storage, matchyard: { keys } }: OperatorsDesk): KeyStore {
  const projectOf = async (id: string) => {
    const found = await storage.get('project', id)
    if (found === undefined || found.deletedAt !== null) {
      throw new ConfigurationError(`there is no project ${JSON.stringify(id)} in this storage`)
    }
    return { projectId: found.id, accountId: found.accountId }
  }
  const projectsOf = async (email: string) => {
    const { data } = await storage.projects.list(await accountIdOf(storage, email), { limit: MAX_KEYS, offset: 0 })
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
