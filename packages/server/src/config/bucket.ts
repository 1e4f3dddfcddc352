import type { S3BucketOptions } from '@matchyard/build-store/s3'
import { publicUrl } from './addresses'
import { Fault } from './setting'

export const BUILD_STORES = ['folder', 's3'] as const

/** Settings of the bucket in which builds are stored, and whether clients upload builds directly to the bucket. */
export type BucketConfig = S3BucketOptions & { readonly directUploads: boolean }

/** Reads the name of a bucket, in the form that every object store accepts. */
export function bucketName(text: string): string | Fault {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) return text
  return new Fault(
    `${JSON.stringify(text)} is not a bucket; its name has 3 to 63 lower-case letters, digits, dots and dashes`,
  )
}

export const regionName = (text: string): string | Fault =>
  /^[a-z0-9][a-z0-9-]{0,63}$/.test(text)
    ? text
    : new Fault(`${JSON.stringify(text)} is not a region; give one like eu-central-1`)

/** Reads the address of an object store: scheme, host, port and an optional path. */
export function storeAddress(text: string): string | Fault {
  const url = publicUrl(text)
  return url instanceof Fault
    ? new Fault(url.sentence.replace('https://matchyard.example.com', 'https://s3.example.com'))
    : url
}

/** Reads the prefix of every object key. */
export const keyPrefix = (text: string): string | Fault =>
  /^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*\/$/.test(text) && !text.split('/').some((part) => part === '.' || part === '..')
    ? text
    : new Fault(`${JSON.stringify(text)} is not a prefix; give one like matchyard/, with a slash at its end`)

/**
 * Reads a part of a credential: the key id, the secret key or the session token. The text of a fault never contains the
 * part.
 */
export const keyPart = (text: string): string | Fault =>
  /^[\x21-\x7e]+$/.test(text)
    ? text
    : new Fault('it has characters that no key has: a space, perhaps, or the end of a line')

export interface BucketVariables {
  readonly BUILD_STORE: (typeof BUILD_STORES)[number]
  readonly S3_BUCKET: string | undefined
  readonly S3_REGION: string | undefined
  readonly S3_ENDPOINT: string | undefined
  readonly S3_PUBLIC_ENDPOINT: string | undefined
  readonly S3_PATH_STYLE: boolean | undefined
  readonly S3_PREFIX: string | undefined
  readonly S3_ACCESS_KEY_ID: string | undefined
  readonly S3_SECRET_ACCESS_KEY: string | undefined
  readonly S3_SESSION_TOKEN: string | undefined
  readonly S3_DIRECT_UPLOADS: boolean
}

const NEEDED = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** Returns faults by variable: each bucket setting that is required and not set. */
export function bucketFaults(data: BucketVariables): ReadonlyMap<(typeof NEEDED)[number], string> {
  if (data.BUILD_STORE !== 's3') return new Map()
  const missing = NEEDED.filter((name) => data[name] === undefined)
  return new Map(missing.map((name) => [name, 'it is not set; BUILD_STORE=s3 needs a bucket and a key for it']))
}

/**
 * Returns the bucket's configuration; undefined when builds are stored in a folder, or when a required setting is
 * missing.
 */
export function bucketOf(data: BucketVariables): BucketConfig | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = data
  if (data.BUILD_STORE !== 's3' || bucket === undefined) return undefined
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return {
    bucket,
    credentials: { accessKeyId, secretAccessKey, ...given('sessionToken', data.S3_SESSION_TOKEN) },
    directUploads: data.S3_DIRECT_UPLOADS,
    ...given('region', data.S3_REGION),
    ...given('endpoint', data.S3_ENDPOINT),
    ...given('publicEndpoint', data.S3_PUBLIC_ENDPOINT),
    ...given('pathStyle', data.S3_PATH_STYLE),
    ...given('prefix', data.S3_PREFIX),
  }
}

const given = <K extends string, V>(name: K, value: V | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V }
