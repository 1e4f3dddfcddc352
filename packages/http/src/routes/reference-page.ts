import { ServiceError } from '@matchyard/core'

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Matchyard API</title>
  </head>
  <body>
    <script id="api-reference" data-url="./openapi.json"></script>
    <script src="./reference?asset=standalone.js"></script>
  </body>
</html>
`

const respond = (body: string, mediaType: string, headers: Record<string, string>, caching: string) =>
  new Response(body, {
    headers: { ...headers, 'cache-control': caching, 'content-type': `${mediaType}; charset=utf-8` },
  })

/** The reference; its script comes from this service, so the page is not blank without the internet. */
export const referencePage = (headers: Record<string, string>): Response =>
  respond(PAGE, 'text/html', headers, 'no-cache')

/** The script that draws the page, read when it is first asked for. Throws NOT_FOUND where the service was given none. */
export async function referenceScript(
  load: (() => Promise<string>) | undefined,
  headers: Record<string, string>,
): Promise<Response> {
  if (load === undefined) throw new ServiceError('NOT_FOUND', 'this service has no reference page; read /openapi.json')
  return respond(await load(), 'text/javascript', headers, 'public, max-age=3600')
}
