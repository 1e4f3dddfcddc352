import { ServiceError } from '@matchyard/core'
import type { ReferenceKeys } from '../options'
import { ICON_LINK } from '../page-icon'

/** The renderer asks nobody but this service, and the browser sees to it. */
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

/** Settings of the renderer: it loads nothing from elsewhere and reports nothing. */
const settingsWith = ({ client, server }: ReferenceKeys) => ({
  url: './openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  operationTitleSource: 'path',
  // Code is what the document holds, which tests run; the renderer's own is of each request's form alone.
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
    <style>section:focus { outline: none }</style>
  </head>
  <body>
    <script id="api-reference" data-configuration="${escaped(JSON.stringify(settingsWith(keys)))}"></script>
    <script src="./reference?asset=standalone.js"></script>
  </body>
</html>
`

const respond = (body: string | Uint8Array<ArrayBuffer>, mediaType: string, headers: Record<string, string>) =>
  new Response(body, { headers: { ...headers, 'content-type': `${mediaType}; charset=utf-8` } })

/** The reference; its script comes from this service, so the page is not blank without the internet. */
export const referencePage = (headers: Record<string, string>, keys: ReferenceKeys): Response =>
  respond(pageOf(keys), 'text/html', { ...headers, 'content-security-policy': POLICY })

/**
 * The script that draws the page, always gzipped: it is for browsers, which all take that, and megabytes of it unpacked for each caller are
 * what a crowd would ask for. Throws NOT_FOUND where the service was given none.
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
