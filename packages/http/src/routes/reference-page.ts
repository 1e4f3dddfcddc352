import { ServiceError } from '@matchyard/core'
import type { ReferenceKeys } from '../options'
import { ICON_LINK } from '../page-icon'

/** Content security policy of the reference page. It lets the page's script connect only to this service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Returns the settings of the reference page's renderer. With them, the renderer loads no other resources and reports
 * no usage.
 */
const settingsWith = ({ client, server }: ReferenceKeys) => ({
  url: './openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  operationTitleSource: 'path',
  // Only the code samples in the document are shown, because tests run them. The renderer's own samples would show only
  // the form of a request.
  hiddenClients: true,
  authentication: {
    preferredSecurityScheme: ['clientKey'],
    securitySchemes: {
      ...(client === undefined ? {} : { clientKey: { value: client } }),
      ...(server === undefined ? {} : { serverKey: { value: server } }),
    },
  },
})

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll("'", '&#39;')

const pageOf = (keys: ReferenceKeys) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Matchyard API</title>
    ${ICON_LINK}
    <!-- What an address with # opens is focused as a whole, which is no control to be seen around. -->
    <style>
      section:focus { outline: none }
      body.light-mode { --scalar-color-accent: #5448c8; --scalar-background-1: #fbfbfc; --scalar-color-1: #1b1b21 }
      body.dark-mode { --scalar-color-accent: #a79dff; --scalar-background-1: #101014; --scalar-color-1: #ededf2 }
    </style>
  </head>
  <body>
    <script id="api-reference" data-configuration="${escaped(JSON.stringify(settingsWith(keys)))}"></script>
    <script src="./reference?asset=standalone.js"></script>
  </body>
</html>
`

const respond = (body: string | Uint8Array<ArrayBuffer>, mediaType: string, headers: Record<string, string>) =>
  new Response(body, { headers: { ...headers, 'content-type': `${mediaType}; charset=utf-8` } })

/**
 * Returns the reference page. Its script comes from this service, so the page also works without an internet
 * connection.
 */
export const referencePage = (headers: Record<string, string>, keys: ReferenceKeys): Response =>
  respond(pageOf(keys), 'text/html', { ...headers, 'content-security-policy': POLICY })

/**
 * Resolves to the answer with the script of the reference page, always gzipped. All browsers accept gzip. Without gzip,
 * many callers at once could make the service send megabytes to each of them. Rejects with `NOT_FOUND` when the service
 * has no such script.
 */
export async function referenceScript(
  load: (() => Promise<Uint8Array<ArrayBuffer>>) | undefined,
  headers: Record<string, string>,
): Promise<Response> {
  if (load === undefined) throw new ServiceError('NOT_FOUND', 'this service has no reference page; read /openapi.json')
  return respond(await load(), 'text/javascript', {
    ...headers,
    'cache-control': 'public, max-age=3600',
    'content-encoding': 'gzip',
  })
}
