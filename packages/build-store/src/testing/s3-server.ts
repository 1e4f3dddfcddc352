import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3BucketOptions, S3Credentials } from '../s3/options'

/** Location of a test's bucket. */
export type TestBucket = Required<Pick<S3BucketOptions, 'bucket' | 'endpoint' | 'pathStyle'>> & {
  /** Credentials with values that occur nowhere else, so that a test can search a text for them. */
  readonly credentials: S3Credentials
}

export interface S3Server extends TestBucket {
  /** Stops accepting connections; the objects stay. */
  stop(): Promise<void>
  /** Accepts connections again, at the same address. */
  start(): Promise<void>
  /** Stops the server, and removes every object. */
  close(): Promise<void>
}

interface S3rver {
  readonly store: { putContent(path: string, content: unknown): Promise<unknown> }
  run(): Promise<AddressInfo>
  close(): Promise<void>
}
type MakeS3rver = new (options: Readonly<Record<string, unknown>>) => S3rver
interface Accounts {
  readonly DUMMY_ACCOUNT: { createKeyPair(accessKeyId: string, secretAccessKey: string): void }
}

/**
 * Makes the server store each object in one step, as S3 does. Without this change, the server would list objects of
 * which only a part has arrived.
 */
function putsWhole(server: S3rver, drafts: string): S3rver {
  const { store } = server
  const put = store.putContent.bind(store)
  store.putContent = async (path, content) => {
    await mkdir(drafts, { recursive: true })
    const draft = join(drafts, randomUUID())
    const written = await put(draft, content)
    await rename(draft, path)
    return written
  }
  return server
}

/**
 * The only access key that the server accepts. The server accepts any session token; the signature covers the token.
 */
const CREDENTIALS = {
  accessKeyId: 'AKIDOFTHETESTS',
  secretAccessKey: 'the-secret-of-the-tests',
  sessionToken: 'the-token-of-the-tests',
}
const BUCKET = 'matchyard-builds'

/**
 * Starts a real S3 server with an empty bucket; the server checks signatures. It needs the package `@20minutes/s3rver`.
 */
export async function startS3Server(): Promise<S3Server> {
  const load = createRequire(import.meta.url)
  const Server = load('@20minutes/s3rver') as MakeS3rver
  const { DUMMY_ACCOUNT } = load('@20minutes/s3rver/lib/models/account') as Accounts
  DUMMY_ACCOUNT.createKeyPair(CREDENTIALS.accessKeyId, CREDENTIALS.secretAccessKey)
  const directory = await mkdtemp(join(tmpdir(), 's3-server-'))
  const drafts = `${directory}-arriving`
  const make = (at: number) => putsWhole(new Server({ ...options, port: at }), drafts)
  const options = { address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: BUCKET }] }
  let running: S3rver | undefined = make(0)
  const { port } = await running.run()
  const stop = async () => {
    await running?.close()
    running = undefined
  }
  return {
    bucket: BUCKET,
    endpoint: `http://127.0.0.1:${port}`,
    pathStyle: true,
    credentials: CREDENTIALS,
    stop,
    async start() {
      if (running !== undefined) return
      running = make(port)
      await running.run()
    },
    async close() {
      await stop()
      for (const folder of [directory, drafts]) await rm(folder, { recursive: true, force: true })
    },
  }
}
