import { hasArchive } from '../build/build'
import { unavailableInsteadOf } from '../commit/transact'
import { ServiceError } from '../errors/service-error'
import type { ArchivePart, StoredArchive } from '../ports/build-store'
import type { Ports } from '../ports/ports'
import { MINUTE_MS } from '../shared/time'

/** Milliseconds for which the URL of an archive is valid. */
const URL_LIFETIME_MS = 5 * MINUTE_MS

/** Build whose archive is wanted. */
export interface StoredArchiveInput {
  /** Id of the build. */
  readonly buildId: string
}

/** Part of the archive of a build. */
export interface ReadArchiveInput extends StoredArchiveInput, ArchivePart {}

/**
 * Returns where a machine finds the archive of a ready build. The SHA-256 is that of the store, of the build's record, or the one that the
 * uploader announced.
 */
export function locateArchive(ctx: Ports, { buildId }: StoredArchiveInput): Promise<StoredArchive> {
  return unavailableInsteadOf(async () => {
    const build = await ctx.storage.get('build', buildId)
    if (build === undefined || !hasArchive(build))
      throw new ServiceError('BUILD_NOT_FOUND', `there is no archive of build ${buildId}`)
    const at = ctx.clock.now()
    const found = await ctx.buildStore.locate(buildId, { at, expiresAt: at + URL_LIFETIME_MS })
    if (found === undefined)
      throw new ServiceError('UNAVAILABLE', `this node does not see the archive of build ${buildId}`)
    return { ...found, sha256: found.sha256 ?? build.sha256 ?? build.announced?.sha256 ?? null }
  })
}

/** Returns the bytes of a part of a build's archive. The caller has asked `locateArchive` for the size. */
export const readArchive = (ctx: Ports, { buildId, start, end }: ReadArchiveInput): AsyncIterable<Uint8Array> =>
  ctx.buildStore.read(buildId, { start, end })
