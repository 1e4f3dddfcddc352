import { join } from 'node:path'
import { fileBuildStore } from '@matchyard/build-store/fs'
import { uploadOriginOf as originOf, s3BuildStore } from '@matchyard/build-store/s3'
import type { BuildStore } from '@matchyard/core/ports'
import type { BucketConfig } from '../config/bucket'

export interface BuildStoreChoice {
  readonly dataDirectory: string
  /** Bucket in which builds are stored; default: a folder in the data directory. */
  readonly bucket?: BucketConfig | undefined
  /** Maximum number of bytes that this machine keeps of builds from the bucket. */
  readonly buildCacheBytes?: number
}

/**
 * Returns the store of builds. `shared` is whether other processes write to the same folder, as the nodes of one
 * PostgreSQL database do.
 */
export function buildStoreOf(
  { dataDirectory, bucket, buildCacheBytes }: BuildStoreChoice,
  shared: boolean,
): BuildStore {
  if (bucket === undefined) return fileBuildStore({ directory: join(dataDirectory, 'builds'), shared })
  return s3BuildStore({
    ...bucket,
    cacheDirectory: join(dataDirectory, 'build-cache'),
    ...(buildCacheBytes === undefined ? {} : { cacheBytes: buildCacheBytes }),
  })
}

/** Returns the origin to which clients upload builds; undefined when they upload to the service. */
export const uploadOriginOf = ({ bucket }: BuildStoreChoice): string | undefined =>
  bucket?.directUploads === true ? originOf(options(bucket)) : undefined

function options({ directUploads: _, ...where }: BucketConfig) {
  return where
}
