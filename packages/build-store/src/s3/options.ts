import type { NamesOf } from '@matchyard/core/ports'
import type { ArchiveLimits } from '../kit/index'

/** What signs requests to the store. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of credentials that are lent for some time. */
  readonly sessionToken?: string
}

/** Where a bucket is, and who may use it. */
export interface S3BucketOptions {
  readonly bucket: string
  /** Default `us-east-1`. */
  readonly region?: string
  /** Address of the store as this service reaches it; default: that of Amazon S3 in the region. */
  readonly endpoint?: string
  /** Address of the store as whoever uploads reaches it; default: `endpoint`. */
  readonly publicEndpoint?: string
  /** Whether the bucket stands in the path of an address or in its host; default: in the path where `endpoint` is given. */
  readonly pathStyle?: boolean
  /** Asked before each request where it is a function, for credentials that change. */
  readonly credentials: S3Credentials | (() => Promise<S3Credentials>)
  /** Of every key, so that a bucket may hold other things; default: none. */
  readonly prefix?: string
}

export interface S3BuildStoreOptions extends S3BucketOptions {
  /** Holds archives that this machine has fetched; made when needed. */
  readonly cacheDirectory: string
  /** Bytes of archives that are kept there; what is in use counts and never goes. Default 10 GiB. */
  readonly cacheBytes?: number
  /** Whether uploads go to the store itself, or pass through the service where nobody else reaches the store. Default: to the store. */
  readonly directUploads?: boolean
  /** Those of docs/http-api.md §4 unless said otherwise. */
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
