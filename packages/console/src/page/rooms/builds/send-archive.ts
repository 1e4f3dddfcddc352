import { MatchyardError } from '@matchyard/client'
import { network, pathOf } from '../../data/network'
import { refusal } from '../../data/wire'

export interface Sending {
  readonly signal: AbortSignal
  /** Called with the number of bytes sent so far. */
  progress(sent: number): void
}

/**
 * Uploads an archive to the URL that the service gave. It does not use `fetch`, because `fetch` reports no upload
 * progress and would hold the file in memory. An upload URL of the service is sent to the page's own base URL, because
 * its signature covers the build id and the expiry, not the host. Any other URL belongs to a build store and is used
 * unchanged.
 */
export function sendArchive(url: string, archive: Blob, { signal, progress }: Sending): Promise<void> {
  const { pathname, search } = new URL(url, location.href)
  const isOurs = pathname.includes('/v1/uploads/')
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', isOurs ? network().baseUrl + pathOf(url) + search : url)
    request.setRequestHeader('content-type', 'application/zip')
    request.upload.onprogress = ({ loaded }) => progress(loaded)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(refusal(new Response(null, { status: request.status }), request.responseText))
    }
    request.onerror = () => reject(new MatchyardError('UNREACHABLE', { detail: 'The connection was lost.' }))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(archive)
  })
}
