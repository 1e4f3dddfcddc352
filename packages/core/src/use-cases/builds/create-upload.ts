import { type Build, UPLOAD_URL_LIFETIME_MS } from '../../build/build'
import { judgeUpload } from '../../build/decide'
import { executablePathFault, normaliseExecutablePath } from '../../build/executable-path'
import { announcedIssues, buildNameIssues } from '../../build/new-build'
import type { CallOptions } from '../../commit/call-options'
import { orThrow, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { takesDirectUploads, uploadUrlOf } from '../../tokens/upload-url'
import { createBuild } from './create-build'

export interface CreateUploadInput extends InProject {
  readonly name: string
  /** Path of the server executable, relative to the archive's root. */
  readonly executablePath: string
  /** Bytes of the archive, where they are known: another size is refused. */
  readonly sizeBytes?: number | undefined
  /** SHA-256 of the archive in hexadecimal digits, lower case, where it is known: another archive is refused. */
  readonly sha256?: string | undefined
}

export interface CreatedUpload {
  readonly build: Build
  /** Below the service's own address, or the whole URL of the store where uploads go there; takes one PUT. Signed, so to be kept out of logs. */
  readonly uploadPath: string
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
    ...(input.sizeBytes === undefined && input.sha256 === undefined ? {} : { announced }),
  } as const
  const build = await createBuild(ctx, input.projectId, design, call)
  // Signed here and not in the commit: a kept answer must not hold a signature, and signing again gives the same one.
  const expiresAt = build.createdAt + UPLOAD_URL_LIFETIME_MS
  return { build, uploadPath: await uploadUrlOf(ctx, build, expiresAt), expiresAt }
}
