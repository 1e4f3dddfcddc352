import type { NamesOf } from '@matchyard/core/ports'
import type { ArchiveLimits } from '../kit/index'

/** Credentials that sign requests to the store. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Token of temporary credentials. */
  readonly sessionToken?: string
}

/** Location of a bucket, and the credentials for it. */
export interface S3BucketOptions {
  readonly bucket: string
  /** Default `us-east-1`. */
  readonly region?: string
  /** Address of the store for this service. Default: that of Amazon S3 in the region. */
  readonly endpoint?: string
  /** Address of the store for uploaders. Default: `endpoint`. */
  readonly publicEndpoint?: string
  /**
   * Whether the bucket's name is in the path of an address, or in its host. Default: in the path when `endpoint` is
   * given.
   */
  readonly pathStyle?: boolean
  /** Credentials, or a function that is called before each request, for credentials that change. */
  readonly credentials: S3Credentials | (() => Promise<S3Credentials>)
  /** Prefix of every key, so that the bucket may hold other objects too. Default: none. */
  readonly prefix?: string
}

export interface S3BuildStoreOptions extends S3BucketOptions {
  /** Folder for archives that this machine has fetched; created when needed. */
  readonly cacheDirectory: string
  /**
   * Largest total size in bytes of the archives in that folder. Archives in use count and are never removed. Default:
   * 10 GiB.
   */
  readonly cacheBytes?: number
  /**
   * Whether uploads go directly to the store. Otherwise they pass through the service, for a store that uploaders
   * cannot reach. Default: directly.
   */
  readonly directUploads?: boolean
  /** Limits of archives; each default is in docs/http-api.md §4. */
  readonly limits?: Partial<ArchiveLimits>
}

export const DEFAULT_CACHE_BYTES = 10 * 1024 ** 3
export const DEFAULT_REGION = 'us-east-1'

export const BUCKET_OPTIONS: NamesOf<S3BucketOptions> = {
  bucket: true,
  region: true,
  endpoint: true,
  publicEndpoint: true,
  pathStyle: true,
  credentials: true,
  prefix: true,
}

export const STORE_OPTIONS: NamesOf<S3BuildStoreOptions> = {
  ...BUCKET_OPTIONS,
  cacheDirectory: true,
  cacheBytes: true,
  directUploads: true,
  limits: true,
}
