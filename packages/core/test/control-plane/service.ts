import {
  createMatchyard,
  type DomainEvent,
  ERROR_CATALOGUE,
  type ErrorCode,
  type MatchyardOptions,
  ServiceError,
} from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeBuildStore, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { expect } from 'vitest'
import { CARD } from '../billing/account'

const PASSWORD = 'correct horse'

/** Returns the control plane on fakes and a memory storage; the test moves time and runs the work. */
export async function controlPlane(options: Partial<MatchyardOptions> = {}) {
  const platform = fakePlatform()
  const orchestrator = new FakeOrchestrator(platform.clock)
  const buildStore = new FakeBuildStore()
  const storage = options.storage ?? memoryStorage()
  const charged: string[] = []
  const payments = {
    name: 'test',
    async attach({ accountId, token }: { accountId: string; token: string }) {
      charged.push(token)
      if (token !== 'pm_good') return { ok: false, message: 'declined' } as const
      return { ok: true, customerId: `cus_${accountId}`, paymentMethod: CARD } as const
    },
  }
  const matchyard = createMatchyard({ ...platform, storage, orchestrator, buildStore, payments, ...options })
  await matchyard.open()
  const told: DomainEvent[] = []
  matchyard.events.on('*', (event) => told.push(event))

  /** Runs the due work, and the work that follows from it, until none is left. */
  const settle = async () => {
    for (let rounds = 0; rounds < 1_000; rounds++) {
      await matchyard.worker.reconcileServers()
      if ((await matchyard.worker.runDueJobs()) === 0) return
    }
    throw new Error('work never ends')
  }

  let registered = 0
  /** Creates an account on a plan, with a session. */
  const account = async (plan: 'free' | 'payg' | 'pro' = 'free') => {
    const email = `dev${++registered}@example.com`
    const grant = await matchyard.accounts.register({ email, password: PASSWORD, name: 'Dev' })
    const accountId = grant.account.id
    if (plan !== 'free') await matchyard.billing.upgrade({ accountId, plan, paymentMethodToken: 'pm_good' })
    return { email, password: PASSWORD, token: grant.token, accountId }
  }

  /** Creates a project of a new account; the result has the values of its keys. */
  const project = async (plan: 'free' | 'payg' | 'pro' = 'pro') => {
    const owner = await account(plan)
    const { project, keys } = await matchyard.projects.create({ accountId: owner.accountId, name: 'Arena' })
    const [clientKey, serverKey] = keys.map(({ value }) => value ?? '') as [string, string]
    return { ...owner, projectId: project.id, project, keys, clientKey, serverKey }
  }

  /** Uploads an archive for a build and has it processed. */
  const build = async (projectId: string, name = 'arena') => {
    const upload = await matchyard.builds.createUpload({ projectId, name, executablePath: 'server' })
    await matchyard.builds.receiveUpload(uploadOf(upload.uploadPath, ['zip']))
    await settle()
    return upload.build.id
  }

  return { ...platform, matchyard, orchestrator, buildStore, storage, charged, told, settle, account, project, build }
}

export type ControlPlane = Awaited<ReturnType<typeof controlPlane>>

/** Returns a control plane with an account, its project and the project's keys. */
export async function withProject(plan: 'free' | 'payg' | 'pro' = 'pro') {
  const plane = await controlPlane()
  const owner = await plane.project(plan)
  const { projectId } = owner
  const read = (buildId: string) => plane.matchyard.builds.get({ projectId, buildId })
  return { ...owner, ...plane, read }
}

/** Returns the input of a PUT on an upload path. */
export function uploadOf(uploadPath: string, chunks: Iterable<string> | AsyncIterable<string>) {
  const url = new URL(uploadPath, 'http://localhost')
  return {
    buildId: url.pathname.split('/').at(-1) ?? '',
    expires: url.searchParams.get('expires') ?? '',
    signature: url.searchParams.get('signature') ?? '',
    body: bytesOf(chunks),
  }
}

async function* bytesOf(chunks: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield new TextEncoder().encode(chunk)
}

/** Returns the error code of a call that is refused. */
export async function refusal(call: Promise<unknown>): Promise<ErrorCode> {
  return (await refused(call)).code
}

/** Returns the error of a call that is refused; a call that succeeds fails the test. */
export async function refused(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    (answer) => expect.fail(`it was not refused but answered ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof ServiceError)) throw error
  expect(Object.keys(ERROR_CATALOGUE)).toContain(error.code)
  return error
}

/** Returns the outcome of concurrent calls: the number of successes, and of each error code. */
export async function tally(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const result of await Promise.allSettled(calls)) {
    const key =
      result.status === 'fulfilled'
        ? 'ok'
        : result.reason instanceof ServiceError
          ? result.reason.code
          : String(result.reason)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
