import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createMatchyard, type Matchyard } from '@matchyard/core'
import { nodePlatform } from '@matchyard/node'
import { manualPayments } from '@matchyard/payments/manual'
import { memoryStorage } from '@matchyard/storage-memory'
import { createApp, type MatchyardApp } from '../src/index'

export interface BenchService {
  readonly matchyard: Matchyard
  readonly app: MatchyardApp
  readonly projectId: string
  readonly clientKey: string
}

/** Starts the service with a storage in memory, so that the benchmark measures HTTP and not a disk. */
export async function benchService(): Promise<BenchService> {
  const platform = nodePlatform({ secret: 'a secret of at least 32 characters for a bench' })
  const matchyard = createMatchyard({ ...platform, storage: memoryStorage(), payments: manualPayments() })
  await matchyard.open()
  return { matchyard, app: createApp(matchyard), ...(await studioOf(matchyard)) }
}

async function studioOf(matchyard: Matchyard) {
  const login = { email: 'bench@example.com', password: 'correct horse', name: 'Bench' }
  const { account } = await matchyard.accounts.register(login)
  const accountId = account.id
  await matchyard.billing.upgrade({ accountId, plan: 'pro', paymentMethodToken: 'pm_test_visa' })
  const { project, keys } = await matchyard.projects.create({ accountId, name: 'Bench' })
  await matchyard.queues.create({ projectId: project.id, queueId: 'duel', name: 'Duel' })
  return { projectId: project.id, clientKey: keys[0].value ?? '' }
}

/** Starts a server as the composition root does, on a free port. Resolves to the port. */
export async function serve(fetch: (request: Request, env: object) => Response | Promise<Response>): Promise<number> {
  return listen(createServer(getRequestListener((request, env) => fetch(request, env))))
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
