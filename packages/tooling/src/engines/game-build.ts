import { ZipFile } from 'yazl'
import type { Client } from '../client'
import { eventually } from '../eventually'

/** Returns a ZIP archive of these files, all of them executable. */
export async function archiveOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name, { mode: 0o100755 })
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Uploads a build and waits until it is ready. `backend` must use a server key. */
export async function uploadBuild(
  backend: Client,
  name: string,
  executablePath: string,
  archive: Buffer,
): Promise<void> {
  const body = { name, executable_path: executablePath }
  const { body: upload } = await backend.call<{ build_id: string; upload_url: string }>({
    method: 'POST',
    path: '/v1/builds/upload-url',
    body,
  })
  await fetch(upload.upload_url, { method: 'PUT', body: new Uint8Array(archive) })
  await eventually(
    async () => (await backend.call({ method: 'GET', path: `/v1/builds/${upload.build_id}` })).body,
    ({ status }) => status === 'ready',
  )
}
