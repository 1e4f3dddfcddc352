import { join } from 'node:path'
import { fileBuildStore } from '@matchyard/build-store/fs'
import { uploadOriginOf as originOf, s3BuildStore } from '@matchyard/build-store/s3'
import type { BuildStore } from '@matchyard/core/ports'
import type { BucketConfig } from '../config/bucket'

export interface BuildStoreChoice {
  readonly dataDirectory: string
  /** The bucket that holds the builds; default: a folder of the data directory. */
  readonly bucket?: BucketConfig | undefined
  /** Bytes of builds from the bucket that this machine keeps. */
  readonly buildCacheBytes?: number
}

/** Where builds are kept. `shared`: other processes write to the folder, too, as the nodes of one PostgreSQL do. */
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

/** Where uploads go, where that is not the service itself. */
export const uploadOriginOf = ({ bucket }: BuildStoreChoice): string | undefined =>
  bucket?.directUploads === true ? originOf(options(bucket)) : undefined

function options({ directUploads: _, ...where }: BucketConfig) {
  return where
}
