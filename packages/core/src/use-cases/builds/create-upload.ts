import { type Build, UPLOAD_URL_LIFETIME_MS } from '../../build/build'
import { judgeUpload } from '../../build/decide'
import { executablePathFault, normaliseExecutablePath } from '../../build/executable-path'
import { announcedIssues, buildNameIssues } from '../../build/new-build'
import type { CallOptions } from '../../commit/call-options'
import { orThrow, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { actorOf, type ByActor } from '../../reads/actor'
import { takesDirectUploads, uploadUrlOf } from '../../tokens/upload-url'
import { createBuild } from './create-build'

export interface CreateUploadInput extends InProject, ByActor {
  /** Name that servers use as `versionTag`: 1 to 64 characters of a-z, A-Z, 0-9, dot, underscore and hyphen. */
  readonly name: string
  /** Path of the server executable, relative to the archive's root. */
  readonly executablePath: string
  /** Size of the archive in bytes, when it is known: an archive of another size is refused. */
  readonly sizeBytes?: number | undefined
  /** SHA-256 of the archive as lower-case hexadecimal digits, when it is known: another archive is refused. */
  readonly sha256?: string | undefined
}

/** Build that waits for its archive, with the URL for the upload. */
export interface CreatedUpload {
  /** The build that waits for its archive. */
  readonly build: Build
  /**
   * Path below the service's own address, or the complete URL of the build store when uploads go directly to the store. The URL accepts one
   * PUT. It contains a signature, so it must not be logged.
   */
  readonly uploadPath: string
  /** Time from which the URL takes no upload, 15 minutes after its creation. */
  readonly expiresAt: number
}

export async function createUpload(ctx: Service, input: CreateUploadInput, call?: CallOptions): Promise<CreatedUpload> {
  const fault = executablePathFault(input.executablePath)
  const announced = { sizeBytes: input.sizeBytes ?? null, sha256: input.sha256 ?? null }
  const pathIssues = fault ? [{ path: 'executablePath', message: fault }] : []
  const issues = [...buildNameIssues(input.name), ...pathIssues, ...announcedIssues(announced)]
  if (issues.length > 0) throw validationFailed(issues)
  const { maxUploadBytes: maxBytes } = ctx.settings
  if (announced.sizeBytes !== null) orThrow(judgeUpload({}, { sizeBytes: announced.sizeBytes, maxBytes }))
  const design = {
    name: input.name,
    status: 'uploading',
    type: 'zip',
    executablePath: normaliseExecutablePath(input.executablePath),
    imageUrl: null,
    ...(takesDirectUploads(ctx) ? { isDirect: true } : {}),
    createdBy: await actorOf(ctx, input.by),
    ...(input.sizeBytes === undefined && input.sha256 === undefined ? {} : { announced }),
  } as const
  const build = await createBuild(ctx, input.projectId, design, call)
  // The URL is signed after the commit, because the stored answer must not contain a signature. Signing again gives the same URL.
  const expiresAt = build.createdAt + UPLOAD_URL_LIFETIME_MS
  return { build, uploadPath: await uploadUrlOf(ctx, build, expiresAt), expiresAt }
}
