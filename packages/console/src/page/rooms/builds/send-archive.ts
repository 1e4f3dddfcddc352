import { MatchyardError } from '@matchyard/client'
import { network, pathOf } from '../../data/network'
import { refusal } from '../../data/wire'

export interface Sending {
  readonly signal: AbortSignal
  /** Bytes that have gone out. */
  progress(sent: number): void
}

/**
 * Sends an archive to where the service wants it. `fetch` cannot tell how far it is, and would hold the file in memory. The page may call
 * its own origin, where what is signed in the URL is its path, and a store of builds that the service names.
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
