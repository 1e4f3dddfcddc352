import type { NamesOf } from '@matchyard/core/ports'
import type { ArchiveLimits } from '../kit/index'

/** Credentials with which requests to the store are signed. */
export interface S3Credentials {
  /** Id of the access key. */
  readonly accessKeyId: string
  /** Secret of the access key. */
  readonly secretAccessKey: string
  /** Session token that belongs to temporary credentials. */
  readonly sessionToken?: string
}

/** Location of a bucket, and the credentials for it. */
export interface S3BucketOptions {
  /** Name of the bucket. */
  readonly bucket: string
  /** Region of the bucket. Default: `us-east-1`. */
  readonly region?: string
  /** Address of the store for requests of this service. Default: the address of Amazon S3 in the region. */
  readonly endpoint?: string
  /** Address of the store in the URLs for uploads. Default: `endpoint`. */
  readonly publicEndpoint?: string
  /**
   * Whether the bucket's name is part of the path of a URL, and not of its host. Default: true when `endpoint` is
   * given.
   */
  readonly pathStyle?: boolean
  /** Credentials; or a function that returns them and is called before each request, for credentials that change. */
  readonly credentials: S3Credentials | (() => Promise<S3Credentials>)
  /** Prefix of every key, so that the bucket may contain other objects too. Default: no prefix. */
  readonly prefix?: string
}

export interface S3BuildStoreOptions extends S3BucketOptions {
  /** Folder for archives that this machine has fetched; created when needed. */
  readonly cacheDirectory: string
  /**
   * Largest total size in bytes of the archives in that folder. Archives in use count towards it, but are never
   * removed. Default: 10 GiB.
   */
  readonly cacheBytes?: number
  /**
   * Whether clients upload directly to the store. With false, uploads pass through the service; choose this for a store
   * that clients cannot reach. Default: true.
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
