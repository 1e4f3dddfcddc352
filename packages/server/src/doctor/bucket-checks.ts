import { tryBucket } from '@matchyard/build-store/s3'
import { type Check, fail, ok, warn } from './check'

/**
 * Checks the bucket by writing and reading an object, as the service does with builds. Only the object store can tell
 * whether permissions, keys, region and clock are right.
 */
export const bucket: Check = {
  name: 'bucket',
  mend: 'set S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or leave BUILD_STORE out',
  async look({ config: { buildStore, bucket: configured, maxUploadBytes }, faults }) {
    if (buildStore !== 's3') return ok('builds are kept in the data folder')
    if (configured === undefined) {
      return fail(
        `BUILD_STORE is s3, and the bucket is not known (${[...faults.keys()].filter((name) => name.startsWith('S3_')).join(', ')})`,
      )
    }
    const { directUploads, ...where } = configured
    const trial = await tryBucket(where)
    if (!trial.ok) return fail(trial.message, trial.mend)
    if (directUploads && maxUploadBytes > MAX_PUT_BYTES) {
      return warn(
        `${trial.place} takes, gives back and removes objects; one PUT takes 5 GiB at the most, and MAX_UPLOAD_BYTES is more`,
        `set MAX_UPLOAD_BYTES to ${MAX_PUT_BYTES} or less`,
      )
    }
    return ok(`${trial.place} takes, gives back and removes objects`)
  },
}

/** Maximum size in bytes of an S3 upload in one request. */
const MAX_PUT_BYTES = 5 * 1024 ** 3
