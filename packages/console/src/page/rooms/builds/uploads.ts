import type { Build } from '@matchyard/client/admin'
import { signal } from '@preact/signals'
import type { OpenProject } from '../../data/project'
import { part } from '../../data/wire'
import { sendArchive } from './send-archive'

/** Upload of an archive. It continues while other sections are shown. */
export interface Upload {
  readonly id: number
  readonly projectId: string
  readonly name: string
  readonly size: number
  readonly sent: number
  readonly is: 'sending' | 'sent' | 'failed'
  readonly error: unknown
  readonly build: Build | undefined
  cancel(): void
}

export const uploads = signal<readonly Upload[]>([])
let next = 0

export interface Archive {
  readonly name: string
  readonly executablePath: string
  readonly file: Blob
}

/**
 * Starts an upload and resolves with its build while the upload continues. Rejects when the service refuses the upload.
 */
export async function upload(
  { project, session }: OpenProject,
  { name, executablePath, file }: Archive,
): Promise<Build> {
  const query = `?project_id=${encodeURIComponent(project.project_id)}`
  const body = { name, executable_path: executablePath }
  const { upload_url, build } = await session.wire.post<{ readonly upload_url: string; readonly build: Build }>(
    `/v1/builds/upload-url${query}`,
    body,
  )
  const id = next++
  const ends = new AbortController()
  const mine: Upload = {
    id,
    projectId: project.project_id,
    name: `${name} v${build.version}`,
    size: file.size,
    sent: 0,
    is: 'sending',
    error: undefined,
    build,
    cancel: () => {
      ends.abort(new Error('The upload was cancelled.'))
      forget(id)
      // The build is deleted, because otherwise it would wait for its archive until the upload URL expires.
      session.wire.delete(`/v1/builds/${part(build.build_id)}${query}`).catch(() => {})
    },
  }
  uploads.value = [...uploads.value, mine]
  sendArchive(upload_url, file, { signal: ends.signal, progress: (sent) => change(id, { sent }) }).then(
    () => change(id, { is: 'sent', sent: file.size }),
    (error: unknown) => change(id, { is: 'failed', error }),
  )
  return build
}

export function forget(id: number): void {
  uploads.value = uploads.value.filter((one) => one.id !== id)
}

function change(id: number, to: Partial<Upload>): void {
  uploads.value = uploads.value.map((one) => (one.id === id ? { ...one, ...to } : one))
}

// Closing the page would end the uploads, so the browser asks first.
addEventListener('beforeunload', (event) => {
  if (uploads.value.some((one) => one.is === 'sending')) event.preventDefault()
})
