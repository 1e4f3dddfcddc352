import { type Build, UPLOAD_URL_LIFETIME_MS } from '../../build/build'
import { executablePathFault, normaliseExecutablePath } from '../../build/executable-path'
import { buildNameIssues } from '../../build/new-build'
import type { CallOptions, Context } from '../../context/context'
import type { InProject } from '../../context/inputs'
import { uploadPathOf } from '../../context/upload-url'
import { validationFailed } from '../../errors/service-error'
import { createBuild } from './create-build'

export interface CreateUploadInput extends InProject {
  readonly name: string
  /** Of the server executable, relative to the archive's root. */
  readonly executablePath: string
}

export interface CreatedUpload {
  readonly build: Build
  /** Below the service's own address; takes one PUT. Signed, so to be kept out of logs. */
  readonly uploadPath: string
  readonly expiresAt: number
}

/**
 * Makes a build that waits for its archive, and the URL that takes it (docs/http-api.md §4).
 * Throws VALIDATION_FAILED, PROJECT_NOT_FOUND, PLAN_LIMIT_EXCEEDED.
 */
export async function createUpload(ctx: Context, input: CreateUploadInput, call?: CallOptions): Promise<CreatedUpload> {
  const fault = executablePathFault(input.executablePath)
  const issues = [...buildNameIssues(input.name), ...(fault ? [{ path: 'executablePath', message: fault }] : [])]
  if (issues.length > 0) throw validationFailed(issues)
  const design = {
    name: input.name,
    status: 'uploading',
    type: 'zip',
    executablePath: normaliseExecutablePath(input.executablePath),
    imageUrl: null,
  } as const
  const build = await createBuild(ctx, input.projectId, design, call)
  // Signed here and not in the commit: a kept answer must not hold a signature, and signing again gives the same one.
  const expiresAt = build.createdAt + UPLOAD_URL_LIFETIME_MS
  return { build, uploadPath: uploadPathOf(ctx, build.id, expiresAt), expiresAt }
}
