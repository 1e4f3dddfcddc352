import { nodePlatform } from '@matchyard/node'
import { defineCommand } from 'citty'
import { readSecretConfig } from '../config/serve-config'
import { acceptSecret, compareSecret } from '../service/check-secret'
import { print } from '../service/print'
import { storageOf } from '../service/storage-url'
import { tellFailure } from '../service/tell-failure'

const SENTENCES = {
  same: 'MATCHYARD_SECRET is the secret of this database',
  other: 'MATCHYARD_SECRET is not the secret that this database was used with before; a start with it is refused',
  unknown: 'no service has started on this database yet; the first one decides which secret it has',
} as const

/**
 * Command that changes the secret that belongs to a database. The service refuses to start with another secret unless
 * this command has accepted it.
 */
export const secret = defineCommand({
  meta: {
    name: 'secret',
    description: 'Compare MATCHYARD_SECRET with that of the database, or make it that.',
  },
  args: {
    accept: {
      type: 'boolean',
      description: 'From now on services start with this secret, and with no other (stop all of them first)',
      default: false,
    },
  },
  run: ({ args }) =>
    tellFailure(async () => {
      const { databaseUrl, secret } = readSecretConfig(process.env)
      const storage = await storageOf(databaseUrl, { beside: true })
      try {
        const place = { storage, tokens: nodePlatform({ secret }).tokens }
        await print(`${args.accept ? await accept(place) : SENTENCES[await compareSecret(place)]}\n`)
      } finally {
        await storage.close()
      }
    }),
})

async function accept(place: Parameters<typeof acceptSecret>[0]): Promise<string> {
  while (!(await acceptSecret(place))) {}
  return 'from now on services start with this MATCHYARD_SECRET, and with no other'
}
