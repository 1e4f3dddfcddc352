import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ApiKeyType, type Matchyard, ServiceError } from '@matchyard/core'
import { type Storage, uniqueKey } from '@matchyard/core/ports'
import { argon2Passwords } from '@matchyard/node'
import type { Service } from '../service/service'
import { DEMO_QUEUE } from './first-calls'
import type { Credentials, LocalFiles } from './local-files'

export const DEMO_EMAIL = 'demo@matchyard.local'
export const DEMO_BUILD = 'demo-game'

/**
 * Possible locations of the demo game server's archive. It is beside the command in a built package, and in `dist` when
 * the sources are run.
 */
const DEMO_ARCHIVES = ['./demo-game-server.zip', '../../dist/demo-game-server.zip'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)
const DEMO_EXECUTABLE = 'server.mjs'
/** Maximum milliseconds to wait for the check of the demo build. The service also works without the demo. */
const PATIENCE_MS = 10_000
const LOOK_EVERY_MS = 10

/**
 * Creates the missing parts of the demo: an account on the plan `pro`, a project, both keys, a build and a queue. A
 * second start changes nothing.
 */
export async function seedDemo(service: Service, files: LocalFiles, storage: Storage): Promise<Credentials> {
  const { matchyard, baseUrl } = service
  const known = files.readCredentials()
  const password = known?.password ?? randomBytes(12).toString('base64url')
  const passwordHash = await newHash(storage, password)
  const project = await matchyard.projects.ensure({ name: 'Demo', email: DEMO_EMAIL, passwordHash })
  const owner = { accountId: project.accountId, projectId: project.id }
  const credentials: Credentials = {
    base_url: baseUrl,
    email: DEMO_EMAIL,
    password,
    account_id: project.accountId,
    project_id: project.id,
    client_key: await liveKey(matchyard, owner, 'client', known?.client_key),
    server_key: await liveKey(matchyard, owner, 'server', known?.server_key),
  }
  files.writeCredentials(credentials)
  await seedBuild(matchyard, project.id)
  await seedQueue(matchyard, project.id)
  await untilDecided(matchyard, project.id)
  return credentials
}

/** Returns the hash of a new password; undefined when the account already has this password. */
async function newHash(storage: Storage, password: string): Promise<string | undefined> {
  const account = await storage.find('account', uniqueKey.email(DEMO_EMAIL))
  const passwords = argon2Passwords()
  if (account !== undefined && (await passwords.verify(account.passwordHash, password))) return undefined
  return passwords.hash(password)
}

type Owner = { readonly accountId: string; readonly projectId: string }

/** Returns the demo's key from the previous start if the key is still valid, and otherwise a new key. */
async function liveKey(
  matchyard: Matchyard,
  owner: Owner,
  type: ApiKeyType,
  known: string | undefined,
): Promise<string> {
  if (known !== undefined) {
    try {
      const caller = await matchyard.access.authenticateKey(known)
      if (caller.projectId === owner.projectId && caller.kind === type) return known
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'INVALID_API_KEY')) throw error
    }
  }
  const minted = await matchyard.keys.mint({ ...owner, type, name: `demo ${type} key` })
  if (minted.value === null) throw new Error('a freshly minted key has no value')
  return minted.value
}

async function seedBuild(matchyard: Matchyard, projectId: string): Promise<void> {
  const existing = await matchyard.builds.list({ projectId, name: DEMO_BUILD, limit: 1 })
  if (existing.total > 0) return
  const archive = DEMO_ARCHIVES.find(existsSync)
  if (archive === undefined) throw new Error('the demo game server is missing: build the command first')
  const { uploadPath } = await matchyard.builds.createUpload({
    projectId,
    name: DEMO_BUILD,
    executablePath: DEMO_EXECUTABLE,
  })
  const url = new URL(uploadPath, 'http://localhost')
  await matchyard.builds.receiveUpload({
    buildId: url.pathname.split('/').at(-1) ?? '',
    expires: url.searchParams.get('expires') ?? '',
    signature: url.searchParams.get('signature') ?? '',
    body: createReadStream(archive),
  })
}

/**
 * Waits at most 10 seconds until a job has checked the demo build, so that the calls which `dev` prints work at once.
 */
async function untilDecided(matchyard: Matchyard, projectId: string): Promise<void> {
  for (const giveUpAt = performance.now() + PATIENCE_MS; performance.now() < giveUpAt; await pause(LOOK_EVERY_MS)) {
    const { data } = await matchyard.builds.list({ projectId, name: DEMO_BUILD, limit: 1 })
    if (data[0]?.status !== 'processing') return
  }
}

/** Creates a queue for duels between players of similar rating. Each match runs on a demo game server. */
async function seedQueue(matchyard: Matchyard, projectId: string): Promise<void> {
  try {
    await matchyard.queues.create({
      projectId,
      queueId: DEMO_QUEUE,
      name: 'Demo duel',
      serverSettings: {
        versionTag: DEMO_BUILD,
        networkPorts: [
          { name: 'game', protocol: 'udp', internalPort: 7777, tlsEnabled: false },
          { name: 'control', protocol: 'tcp', internalPort: 7778, tlsEnabled: false },
        ],
      },
      matchmaking: { teams: 2, playersPerTeam: 1, rules: [{ type: 'difference', field: 'mmr', maxDifference: 200 }] },
    })
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'QUEUE_EXISTS')) throw error
  }
}
