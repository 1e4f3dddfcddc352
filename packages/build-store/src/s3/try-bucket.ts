import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireKnownOptions } from '@matchyard/core/ports'
import { Bucket } from './bucket'
import { Keys } from './keys'
import { Objects } from './objects'
import { BUCKET_OPTIONS, type S3BucketOptions } from './options'
import { S3Refused } from './s3-errors'

/** Returns the origin of the URLs for direct uploads, for the content security policy of web pages. */
export const uploadOriginOf = (options: S3BucketOptions): string => new Bucket(options).uploadOrigin

/** Result of a trial of a bucket. */
export type BucketTrial =
  | {
      /** The bucket can be used. */
      readonly ok: true
      /** Bucket and address, for a message. */
      readonly place: string
    }
  | {
      /** The bucket cannot be used. */
      readonly ok: false
      /** Cause of the failure, as a sentence. */
      readonly message: string
      /** Remedy for the failure, as a sentence. */
      readonly mend: string
    }

const BYTES = 'a trial of matchyard; it may be removed\n'

/**
 * Tests the bucket: writes, finds, lists, copies, reads and removes an object, in the same way as for builds. When a
 * step fails, returns the fault and its remedy, and tries to remove the objects of the test.
 */
export async function tryBucket(options: S3BucketOptions): Promise<BucketTrial> {
  requireKnownOptions('tryBucket', options, Object.keys(BUCKET_OPTIONS))
  const bucket = new Bucket(options)
  const objects = new Objects(bucket)
  const { uploads } = new Keys(options.prefix ?? '')
  const [from, to] = [`${uploads}trial-${randomUUID()}`, `${uploads}trial-${randomUUID()}`]
  const folder = await mkdtemp(join(tmpdir(), 'matchyard-trial-'))
  try {
    await put(objects, from, join(folder, 'sent'))
    const found = await objects.find(from)
    const listed: string[] = []
    for await (const { key } of objects.list(from)) listed.push(key)
    if (!(await objects.copy(from, to, found?.tag ?? ''))) await put(objects, to, join(folder, 'sent'))
    const read = await objects.download(to, join(folder, 'read'), { begin: async () => {} })
    for (const key of [from, to]) await objects.remove(key)
    const same = read !== undefined && (await readFile(join(folder, 'read'), 'utf8')) === BYTES
    if (same && listed.includes(from) && (await objects.find(to)) === undefined)
      return { ok: true, place: bucket.place }
    const message = `${bucket.place} does not give back what was put into it`
    return { ok: false, message, mend: SPEAK_S3 }
  } catch (error) {
    if (!(error instanceof S3Refused)) throw error
    for (const key of [from, to]) await objects.remove(key).catch(() => {})
    return { ok: false, message: error.message, mend: mendOf(error, bucket) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function put(objects: Objects, key: string, path: string): Promise<void> {
  await writeFile(path, BYTES)
  const sha256 = createHash('sha256').update(BYTES).digest('hex')
  await objects.upload(key, { path, bytes: Buffer.byteLength(BYTES), sha256 })
}

const SPEAK_S3 = 'use a store that speaks S3 in full: PUT, GET, HEAD, DELETE, copy and ListObjectsV2'
const MENDS: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'give the access key of somebody whom the store knows',
  SignatureDoesNotMatch: 'give the secret that belongs to the access key, whole and without spaces around it',
  ExpiredToken: 'lend new credentials: those were good for some time only',
  InvalidToken: 'give the session token that belongs to the access key, or leave it out',
  AccessDenied:
    'allow the key s3:PutObject, s3:GetObject and s3:DeleteObject on the objects, and s3:ListBucket on the bucket',
  RequestTimeTooSkewed: 'set the clock of this machine (timedatectl set-ntp true)',
  AuthorizationHeaderMalformed: 'name the region in which the bucket is',
  PermanentRedirect: 'name the region in which the bucket is, and leave the endpoint out for Amazon S3',
  NotS3: SPEAK_S3,
  NoCredentials: 'see that whoever lends the credentials can be reached, and that they may be lent to this machine',
  ENOTFOUND: 'correct the host of the endpoint; where it begins with the bucket’s name, set the path style',
  EAI_AGAIN: 'look after the name server of this machine',
  ECONNREFUSED: 'start the store, or correct the endpoint',
}

function mendOf({ code, status }: S3Refused, { name }: Bucket): string {
  if (code === 'NoSuchBucket' || status === 404) return `make the bucket ${JSON.stringify(name)}, or name another one`
  if (code in MENDS) return MENDS[code] as string
  if (status === 403) return MENDS.AccessDenied as string
  if (status === 301 || status === 307) return MENDS.PermanentRedirect as string
  return 'see that the store runs and that this machine reaches it, and correct the endpoint'
}
