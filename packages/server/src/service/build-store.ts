import { join } from 'node:path'
import { fileBuildStore } from '@matchyard/build-store/fs'
import { uploadOriginOf as originOf, s3BuildStore } from '@matchyard/build-store/s3'
import type { BuildStore } from '@matchyard/core/ports'
import type { BucketConfig } from '../config/bucket'

export interface BuildStoreChoice {
  readonly dataDirectory: string
  /** Bucket in which builds are stored; default: a folder in the data directory. */
  readonly bucket?: BucketConfig | undefined
  /** Maximum size in bytes of the builds from the bucket that this machine keeps. */
  readonly buildCacheBytes?: number
}

/**
 * Returns the store of builds. `shared`: other processes write to the same folder, like the nodes of one PostgreSQL
 * database.
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
