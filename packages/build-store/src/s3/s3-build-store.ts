import { type BuildStore, requireKnownOptions } from '@matchyard/core/ports'
import { ArchiveRefused, checkedBuildId, inspectArchive, limitsOf, onDisk, unpackArchive } from '../kit/index'
import { bucketLogs } from './bucket-logs'
import { BuildArchives } from './build-archives'
import { type S3BuildStoreOptions, STORE_OPTIONS } from './options'

/**
 * Returns a build store that keeps archives in a bucket of an S3 store, named by their SHA-256. Every node with access
 * to the bucket has every build. Clients upload directly to the store, and each machine keeps the archives that it
 * fetched, up to a limit. Every call throws BuildStoreAway when the store does not answer or refuses, and
 * StorageUnavailable for errors of the disk. Throws TypeError for an unknown option.
 */
export function s3BuildStore(options: S3BuildStoreOptions): BuildStore {
  requireKnownOptions('s3BuildStore', options, Object.keys(STORE_OPTIONS))
  const limits = limitsOf(options.limits)
  const archives = new BuildArchives(options)
  const kept = <T>(work: () => Promise<T>) => onDisk('the archive cannot be kept', work)
  return {
    name: 's3',
    direct:
      options.directUploads === false
        ? null
        : {
            urlOf: (buildId, terms) => archives.uploadUrl(checkedBuildId(buildId), terms),
            find: (buildId) => archives.arrived(checkedBuildId(buildId)),
            keep: (buildId, found, claim) => kept(() => archives.keep(checkedBuildId(buildId), found, claim)),
          },
    logs: bucketLogs(options),
    receive: (buildId, body, terms) => kept(() => archives.receive(checkedBuildId(buildId), body, terms)),
    has: async (buildId) => (await archives.nameOf(checkedBuildId(buildId))) !== undefined,
    inspect: (buildId, { executablePath }, log) =>
      onDisk('the archive cannot be read', async () => {
        try {
          const verdict = await archives.using(checkedBuildId(buildId), (file) =>
            inspectArchive(file, { executablePath, limits }, log),
          )
          return verdict ?? { ok: false, message: `build ${buildId} has no archive` }
        } catch (error) {
          if (!(error instanceof ArchiveRefused)) throw error
          return { ok: false, message: error.message }
        }
      }),
    unpack: (buildId, { executablePath, directory }) =>
      onDisk('the archive cannot be unpacked', async () => {
        const isThere = await archives.using(checkedBuildId(buildId), (file) =>
          unpackArchive(file, { executablePath, limits, directory }),
        )
        if (isThere !== true) throw new ArchiveRefused(`build ${buildId} has no archive`)
      }),
    locate: (buildId, terms) =>
      archives.locate(checkedBuildId(buildId), options.directUploads === false ? undefined : terms),
    read: (buildId, part) => archives.read(checkedBuildId(buildId), part),
    remove: (buildId) => onDisk('the archive cannot be removed', () => archives.remove(checkedBuildId(buildId))),
    sweep: () => onDisk('the build store cannot be swept', () => archives.sweep()),
  }
}
